import { UNSPECIFIED } from "../grid/dimensions.ts";
import { tierOf } from "../grid/mix-by-tier.ts";
import { faultsOfCell, keepFaultPlan } from "../world/schedule-faults.ts";
import type { Written } from "../writers/writer.ts";
import type { PlannedTask } from "./task.ts";

/** The task of a cell that has words: its faults, its world, and how the person behaves. */
export function drawnTask(
  { card, prompt, tags = {} }: Written,
  writer: string,
  faultRate: number | undefined,
  seed: number,
): PlannedTask {
  const { id, assignment } = card;
  const planned = faultsOfCell(assignment);
  const keeps = faultRate === undefined || keepFaultPlan(prompt, faultRate, seed);
  const { stance, history, world_state: state = UNSPECIFIED } = assignment;
  return {
    prompt,
    scenarioId: id,
    assignment,
    arm: "structured",
    faults: keeps ? planned : null,
    worldState: state === UNSPECIFIED || state === "unknown" ? null : state,
    tags: {
      tier: tierOf(assignment),
      ...(stance === undefined ? {} : { stance }),
      ...(history === undefined ? {} : { history }),
      ...tags,
    },
    writerModel: writer,
    selectionReason: "grid",
  };
}

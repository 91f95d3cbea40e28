import { AXES, isObject, type Row, type RowSource, textOf } from "@while/schema";
import { ProbeIds } from "../grid/region-id.ts";
import { SimulateError } from "../simulate-error.ts";
import { faultPlanOf } from "../world/schedule-faults.ts";
import type { PlannedTask } from "./task.ts";

/** The tasks of rows, to be run again. */
export interface PinnedTasks {
  tasks: PlannedTask[];
  /** Most rollouts that a prompt has in one run of the source. */
  baseK: number;
  /** Prompts whose short id another prompt had. */
  idCollisions: number;
}

const NO_WORLD: ReadonlySet<string> = new Set(["", "unspecified", "unknown"]);

/**
 * The tasks behind rows: prompts, ids, faults, world states and the person's manners, each once, in the order of the
 * rows. A prompt that stands in two scenarios is two tasks. Rows without a prompt are left out.
 *
 * @throws SimulateError `bad_tasks` when no row has a prompt
 */
export function pinnedTasks(source: RowSource | readonly Row[]): PinnedTasks {
  const rows = "rows" in source ? source.rows : source;
  const ids = new ProbeIds();
  const tasks = new Map<string, PlannedTask>();
  const counts = new Map<string, number>();
  for (const row of rows) {
    const prompt = textOf(row.prompt);
    if (prompt.trim() === "") continue;
    const named = textOf(row.scenario_id) || textOf(row.task_id);
    const key = JSON.stringify([named, prompt.trim()]);
    const inRun = JSON.stringify([key, row.lineage?.eval_run ?? null]);
    counts.set(inRun, (counts.get(inRun) ?? 0) + 1);
    if (tasks.has(key)) continue;
    tasks.set(key, pinnedTask(row, prompt, named, ids));
  }
  if (tasks.size === 0) {
    const what = `tasks holds ${rows.length} rows, and none of them has a prompt.`;
    throw new SimulateError("bad_tasks", what, "Give rows, a run or a file of rows that were run before.");
  }
  return { tasks: [...tasks.values()], baseK: Math.max(...counts.values()), idCollisions: ids.collisions };
}

function pinnedTask(row: Row, prompt: string, named: string, ids: ProbeIds): PlannedTask {
  const cell = isObject(row.scenario_dimensions) ? row.scenario_dimensions : null;
  const assignment =
    cell === null ? null : Object.fromEntries(Object.entries(cell).map(([axis, value]) => [axis, textOf(value)]));
  const worldState = [textOf(row.world_state), assignment?.world_state ?? ""].find((state) => !NO_WORLD.has(state));
  const tags: Record<string, string> = {};
  for (const axis of AXES) {
    const value = textOf(row[axis]) || (axis === "stance" || axis === "history" ? (assignment?.[axis] ?? "") : "");
    if (value !== "") tags[axis] = value;
  }
  const opener = textOf(row.opener);
  return {
    prompt,
    scenarioId: named || ids.idOf(prompt),
    assignment,
    arm: textOf(row.arm) || "pinned",
    faults: faultPlanOf(row.faults),
    worldState: worldState ?? null,
    tags,
    writerModel: textOf(row.writer_model) || null,
    selectionReason: "pinned",
    replayed: true,
    ...(opener === "" ? {} : { opener }),
    ...(named === "" ? { unnamed: true } : {}),
  };
}

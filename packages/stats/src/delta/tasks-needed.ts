import { countOf } from "../count-of.ts";
import type { DeltaReport } from "./report.ts";

/** Tasks that would prove the gain seen, and at the ends of its interval; null without a gain. */
export function tasksNeededText({
  tasksNeeded,
  tasksNeededSource,
  tasksNeededRange,
}: Pick<DeltaReport, "tasksNeeded" | "tasksNeededSource" | "tasksNeededRange">): string | null {
  if (tasksNeeded === null) return null;
  const spread = `spread ${tasksNeededSource === "model" ? "modelled" : "measured"}`;
  if (tasksNeededRange === null) return `${countOf(tasksNeeded, "task")} (${spread})`;
  const [fewest, most] = tasksNeededRange.map((n) => (n === null ? "no number" : String(n)));
  return `${countOf(tasksNeeded, "task")}, ${fewest} at the upper end of its interval and ${most} at the lower (${spread})`;
}

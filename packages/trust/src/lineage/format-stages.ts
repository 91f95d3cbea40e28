import { cutCodePoints } from "@while/schema";
import type { StageReport } from "./stage-report.ts";

/** Leaks named in the text; the report lists more. */
const NAMED_LEAKS = 5;

/** The verdict, rows and tasks by stage, and what to do about the warnings. */
export function formatStages({ counts, tasksPerStage, leaks, nLeaks, warnings }: StageReport): string {
  const lines = [verdictOf(counts, nLeaks)];
  for (const [stage, n] of counts) {
    const nTasks = tasksPerStage.get(stage) ?? 0;
    lines.push(`  ${stage}: ${n} (${nTasks} ${nTasks === 1 ? "task" : "tasks"})`);
  }
  for (const warning of warnings) lines.push(`! ${warning}`);
  for (const { task, stages, how } of leaks.slice(0, NAMED_LEAKS)) {
    lines.push(`  ${cutCodePoints(task.replaceAll(/\s+/g, " "), 80)}: ${stages.join(", ")} (same ${how})`);
  }
  if (nLeaks > NAMED_LEAKS) lines.push(`  and ${nLeaks - NAMED_LEAKS} more`);
  return lines.join("\n");
}

function verdictOf(counts: StageReport["counts"], nLeaks: number): string {
  if (counts.size === 0) return "(no stamped rows)";
  if (nLeaks > 0) return `stages: ${nLeaks} ${nLeaks === 1 ? "task" : "tasks"} in eval and in training`;
  if (!counts.has("eval")) return "stages: nothing is evaluated on";
  return counts.size === 1 ? "stages: nothing is trained on" : "stages: no task is in eval and in training";
}

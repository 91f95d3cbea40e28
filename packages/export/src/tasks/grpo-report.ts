import { formatFixed, formatPercent } from "@while/schema";
import { type Contaminated, contaminatedLine } from "../eval-filter.ts";
import type { Requirement } from "../formats/requirement.ts";
import type { ExportWarning } from "../report/export-report.ts";
import type { TasksReport } from "./build-tasks.ts";

/** What an export of tasks for grouped RL wrote. */
export interface GrpoReport {
  kind: "grpo";
  /** Training tasks in the file; held-out ones in the other. */
  n: number;
  nHoldout: number;
  format: string;
  /** null when nothing was written. */
  path: string | null;
  sha256: string | null;
  bytes: number | null;
  /** null when no task is held out, or nothing was written. */
  holdoutPath: string | null;
  withSystem: number;
  withTools: number;
  tasks: TasksReport;
  /** Rows that an evaluation holds, left out; there with the option `against`, 0 included. */
  contaminated?: Contaminated;
  requires: readonly Requirement[];
  warnings: ExportWarning[];
}

/** The report as text: what was written, how hard the tasks are, what was left out, and why to hesitate. */
export function formatGrpoReport(report: GrpoReport): string {
  const { n, nHoldout, format, path, holdoutPath, tasks } = report;
  const { prompts, bandDropped, band, gradedMixed, gradedPrompts, expectedInformativeShare: share } = tasks;
  const lines = [
    `export grpo: ${n} ${format} tasks of ${prompts}, ${path ?? "not written"}`,
    `  ${nHoldout} held out${holdoutPath === null ? "" : `, ${holdoutPath}`}`,
    `  ${gradedMixed} of ${gradedPrompts} graded tasks have rewards that differ`,
  ];
  lines.push(...contaminatedLine(report.contaminated));
  if (share !== null) lines.push(`  in ${formatPercent(share)} of groups of 8 the outcomes are expected to differ`);
  if (band !== null && bandDropped > 0) {
    const [low, high] = band.map((end) => formatFixed(end, 2));
    lines.push(`  ${bandDropped} dropped, their pass rate lies outside ${low} to ${high}`);
  }
  for (const { text } of report.warnings) lines.push(`  warning: ${text}`);
  for (const { setting, value, why } of report.requires) lines.push(`  requires ${setting}: ${value} (${why})`);
  return lines.join("\n");
}

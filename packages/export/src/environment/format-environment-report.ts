import { formatInterval, formatPercent } from "@while/schema";
import type { EnvironmentReport } from "./environment-report.ts";

/** What was written, what a trainer can learn from it, and what to mind. */
export function formatEnvironmentReport(report: EnvironmentReport): string {
  const { slug, runtime, path, tasks, nTools, nHarnesses, maxTurns, files, warnings } = report;
  const { train, holdout, gradedPrompts, gradedMixed, band, bandDropped, expectedInformativeShare } = tasks;
  return [
    `environment ${slug}: ${train} training tasks and ${holdout} held out, ${path === null ? "not written" : `in ${path}`}`,
    `  runtime ${runtime}, ${nTools} tools, at most ${maxTurns} turns${nHarnesses === 0 ? "" : `, ${nHarnesses} harnesses`}`,
    `  graded ${gradedPrompts} prompts, ${gradedMixed} of them mixed; ${bandDropped} outside the band ${band === null ? "(none)" : formatInterval([band[0], band[1]])}`,
    `  groups of 8 that are expected to differ: ${expectedInformativeShare === null ? "not measured" : formatPercent(expectedInformativeShare)}`,
    `  files ${files.join(", ")}`,
    ...warnings.map(({ text }) => `  warning: ${text}`),
  ].join("\n");
}

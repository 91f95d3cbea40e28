import { formatFixed, formatInterval, formatPercent, padToWidth } from "@while/schema";
import type { HarnessAttribution } from "./attribute-harness.ts";

const VERDICTS = {
  harness: "the harness carries the difference",
  model: "the model carries the difference",
  unresolved: "unresolved: neither carries provably more than the other",
} as const;

/** An attribution as text: what carries the difference, the shares, the grid, and what to mind. */
export function formatAttribution(report: HarnessAttribution): string {
  const { metric, verdict, harnesses, models, cells, nTasks, rankingReversal, notes } = report;
  const share = (
    name: string,
    value: number,
    ci95: readonly [number, number] | null,
    spread: number | null,
  ): string => {
    const band = ci95 === null ? "" : ` ${formatInterval(ci95)}`;
    return `  ${name.padEnd(12)}${formatPercent(value)}${band}${spread === null ? "" : `, spread ${formatFixed(spread, 1)} points`}`;
  };
  const meanOf = (harness: string, model: string): string =>
    formatFixed(cells.find((cell) => cell.harness === harness && cell.model === model)!.mean, 3);
  const table = [["", ...models], ...harnesses.map((harness) => [harness, ...models.map((m) => meanOf(harness, m))])];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return [
    `${VERDICTS[verdict]} (${metric}, ${nTasks} tasks)`,
    share("harness", report.shareHarness, report.shareHarnessCi95, report.spreadHarnessPts),
    share("model", report.shareModel, report.shareModelCi95, report.spreadModelPts),
    share("interaction", report.shareInteraction, null, null),
    ...table.map((row) => `  ${row.map((cell, at) => padToWidth(cell, widths[at]!)).join("  ")}`.trimEnd()),
    ...(rankingReversal ? ["  which model is best hangs on the harness: do not name one without the other"] : []),
    ...notes.map((note) => `note: ${note}`),
  ].join("\n");
}

import { formatFixed, formatPercent } from "@while/schema";
import type { PreferenceReport } from "./preference-report.ts";

/** The report as text: what was written, how the sides differ, what was left out, and why to hesitate. */
export function formatPreferenceReport(report: PreferenceReport): string {
  const { pairs, pairsIn, format, path, toolCallRoundtrip: calls, turnsCut, privilegedLeaks: leaks } = report;
  const of = pairs === pairsIn ? "" : ` of ${pairsIn}`;
  const what = report.kind === "reward-model" ? " for a reward model" : "";
  const lines = [`export pairs: ${pairs}${of} ${format} pairs${what}, ${path ?? "not written"}`];
  if (pairs > 0) {
    const longer = report.chosenLongerFrac === null ? "not measured" : formatPercent(report.chosenLongerFrac);
    const margin = report.meanMargin === null ? "not measured" : formatFixed(report.meanMargin, 2);
    lines.push(`  chosen is the longer side in ${longer}; mean margin ${margin}`);
    if (report.meanSharedMessages !== null) lines.push(`  ${quality(report)}`);
  }
  lines.push(`  tool calls: ${calls.checked} checked as ${calls.encoding}, ${calls.invalid} do not read back`);
  lines.push(
    leaks.nChecked === 0
      ? "  leaks: not measured, no side carries privileged context long enough to quote"
      : `  leaks: ${leaks.chosen} chosen and ${leaks.rejected} rejected sides of ${leaks.nChecked} checked`,
  );
  const left = [
    [report.tiesDropped, "ties dropped"],
    [report.noBranchDropped ?? 0, "dropped, they do not say where they branch"],
    [report.noCompletionDropped, "dropped, their sides part in no agent turn with something before it"],
    [turnsCut, "cut behind the turn that is compared"],
  ] as const;
  for (const [n, words] of left) if (n > 0) lines.push(`  ${n} ${words}`);
  for (const { text } of report.warnings) lines.push(`  warning: ${text}`);
  for (const { setting, value, why } of report.requires) lines.push(`  requires ${setting}: ${value} (${why})`);
  if (report.unstable.length > 0) lines.push(`  columns without one type: ${report.unstable.join(", ")}`);
  if (report.infoPath !== undefined) lines.push(`  listed in ${report.infoPath}`);
  if (report.notCarried.size > 0) {
    const names = [...report.notCarried].map(([name, n]) => `${name} (${n})`);
    lines.push(`  fields of pairs left out: ${names.join(", ")}`);
  }
  return lines.join("\n");
}

/** How the turns that are compared differ. */
function quality(report: PreferenceReport): string {
  const { meanSharedMessages, nearIdentical, blameGap, turnLongerFrac, marginLengthCorrelation: r } = report;
  const parts = [
    `turns: ${formatFixed(meanSharedMessages!, 1)} messages shared on average`,
    `${nearIdentical} nearly the same`,
    `${blameGap} part before what failed`,
    `the better one longer in ${formatPercent(turnLongerFrac!)}`,
  ];
  if (r !== null) parts.push(`margin and length correlate at ${formatFixed(r, 2)}`);
  return parts.join(", ");
}

import { formatFixed } from "@while/schema";
import { contaminatedLine } from "../eval-filter.ts";
import type { KtoReport } from "./kto-report.ts";

/** The report as text: what was written, how the classes weigh, what was left out, and why to hesitate. */
export function formatKtoReport(report: KtoReport): string {
  const { n, rowsIn, format, path, nDesirable, nUndesirable, suggestedDesirableWeight: weight } = report;
  const { toolCallRoundtrip: calls, privilegedLeaks: leaks } = report;
  const lines = [
    `export kto: ${n}${n === rowsIn ? "" : ` of ${rowsIn}`} ${format} ${n === 1 ? "row" : "rows"}, ${path ?? "not written"}`,
    `  ${nDesirable} wanted, ${nUndesirable} unwanted; ${
      weight === null
        ? "no weight evens them out"
        : `set desirable_weight between ${formatFixed(weight[0], 2)} and ${formatFixed(weight[1], 2)} with undesirable_weight 1`
    }`,
    `  tool calls: ${calls.checked} checked as ${calls.encoding}, ${calls.invalid} do not read back`,
    leaks.nChecked === 0
      ? "  leaks: not measured, no row carries privileged context long enough to quote"
      : `  leaks: ${leaks.desirable} wanted and ${leaks.undesirable} unwanted replies of ${leaks.nChecked} checked`,
  ];
  lines.push(...contaminatedLine(report.contaminated));
  const left: [number, string][] = [
    [report.ungradedDropped, "dropped, they have no numeric reward"],
    [report.borderlineDropped, "dropped, their reward is exactly 0.5"],
    [report.noCompletionDropped, "dropped, they have no agent turn with something before it"],
    [report.alternationDropped ?? 0, "dropped, their turns do not alternate"],
    [report.trailingMessagesDropped, "messages behind the reply cut"],
  ];
  for (const [count, words] of left) if (count > 0) lines.push(`  ${count} ${words}`);
  for (const { text } of report.warnings) lines.push(`  warning: ${text}`);
  for (const { setting, value, why } of report.requires) lines.push(`  requires ${setting}: ${value} (${why})`);
  if (report.infoPath !== undefined) lines.push(`  listed in ${report.infoPath}`);
  if (report.notCarried.size > 0) {
    lines.push(`  fields of rows left out: ${[...report.notCarried].map(([name, k]) => `${name} (${k})`).join(", ")}`);
  }
  return lines.join("\n");
}

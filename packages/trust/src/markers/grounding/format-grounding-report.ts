import { cutCodePoints, formatInterval, formatPercent } from "@while/schema";
import { counted } from "../../counted.ts";
import { notStampedLine } from "../marker-families.ts";
import type { GroundingReport } from "./grounding-report.ts";

/** Characters of an example that are shown. */
const MAX_EXAMPLE = 80;

/** The grounded share, a line an invented argument, what was not checked, warnings, and the other families. */
export function formatGroundingReport(report: GroundingReport): string {
  const { rows, rowsWithCalls, groundedRate, ci95, nChecked, invented, assumedFreeText, warnings, notStamped } = report;
  const interval = ci95 === null ? "" : ` ${formatInterval(ci95)} over tasks`;
  const lines = [
    rows === 0
      ? "grounding: not measured, no rows"
      : nChecked === 0
        ? `grounding: not measured, ${rowsWithCalls === 0 ? `none of ${counted(rows, "row")} has a tool call` : "no call has an argument that is checked"}`
        : `grounding: ${formatPercent(groundedRate, 1)} of ${counted(rows, "row")} ${rows === 1 ? "has" : "have"} no made-up argument${interval}`,
    `  ${counted(rowsWithCalls, "row")} with calls, ${counted(nChecked, "argument")} checked`,
  ];
  for (const { argument, rows: n, calls, example } of invented) {
    const times = calls === n ? "" : `, ${calls} times`;
    lines.push(`  ${argument}  in ${counted(n, "row")}${times}: ${JSON.stringify(shown(example))}`);
  }
  if (assumedFreeText.length > 0) lines.push(`not checked, text of the agent's own: ${assumedFreeText.join(", ")}`);
  for (const { text } of warnings) lines.push(`warning: ${text}`);
  return [...lines, ...notStampedLine(notStamped)].join("\n");
}

function shown(value: string | number): string | number {
  return typeof value === "number" ? value : cutCodePoints(value.replaceAll(/\s+/g, " "), MAX_EXAMPLE);
}

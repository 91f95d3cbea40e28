import { formatInterval, formatPercent } from "@while/schema";
import { counted } from "../counted.ts";
import type { RefusalReport } from "./refusal-report.ts";

/** Refused of rows with the rate and interval, the phrases, the replies, and what the number means. */
export function formatRefusalReport(report: RefusalReport): string {
  const { n, nTasks, nRefused, refusalRate, ci95, ciOver, topPhrases, examples, warnings } = report;
  if (n === 0) {
    return [
      "refusals: not measured, no row with a reply that could be read",
      ...warnings.map(({ text }) => `warning: ${text}`),
    ].join("\n");
  }
  const over = ciOver === "tasks" ? ` over ${nTasks} tasks` : "";
  const interval = ci95 === null ? " (no interval under three tasks)" : ` ${formatInterval(ci95)}${over}`;
  const lines = [`refusals: ${nRefused} of ${counted(n, "row")}, ${formatPercent(refusalRate, 1)}${interval}`];
  for (const [phrase, rows] of topPhrases) lines.push(`  ${rows}  "${phrase}"`);
  for (const { prompt, reply } of examples) {
    lines.push(`  ask:   ${oneLine(prompt)}`, `  reply: ${oneLine(reply)}`);
  }
  for (const { text } of warnings) lines.push(`warning: ${text}`);
  lines.push("This read refusal phrases only, and means over-refusal only on a set of benign asks.");
  return lines.join("\n");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

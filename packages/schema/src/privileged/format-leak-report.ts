import { formatPercent } from "../text/format-number.ts";
import type { LeakHit, LeakReport } from "./leaks.ts";

/** Rows with a short answer that the text names; the report has more. */
const SHOWN_SHORT = 3;

/** The verdict on one line, then one line a hit: scenario, `r` and rollout index, field, quote. */
export function formatLeakReport(report: LeakReport): string {
  const { nShown, nCommon, nShort } = report;
  const shown = nShown === 0 ? "" : `; ${nShown} repeat what they had been shown, which is none`;
  const common = nCommon === 0 ? "" : `; ${nCommon} say what other tasks' replies say too, which is none`;
  const lines = [verdict(report) + shown + common, ...report.leaked.map(hitLine)];
  if (nShort > 0) {
    const rows = nShort === 1 ? "1 row says" : `${nShort} rows say`;
    lines.push(`${rows} a short answer of the block that nobody had shown, as a right reply does; no leak by itself:`);
    lines.push(...report.short.slice(0, SHOWN_SHORT).map(hitLine));
  }
  return lines.join("\n");
}

function verdict({ nRows, nChecked, nLeaked, rate, looksExported }: LeakReport): string {
  if (nChecked === 0) {
    const why = looksExported
      ? "exported rows have lost the privileged block at every depth; check the rows of the run before the export"
      : "no row carries privileged context long enough to quote";
    return `leaks: not measured, 0 of ${nRows} rows could be checked: ${why}`;
  }
  if (nLeaked === 0) return `leaks: none in ${nChecked} of ${nRows} rows checked`;
  const quotes = nLeaked === 1 ? "quotes its" : "quote their";
  return `leaks: ${nLeaked} of ${nChecked} replies checked (${formatPercent(rate)}) ${quotes} privileged context, ${nRows} rows in all`;
}

function hitLine({ row, scenarioId, rolloutIndex, field, needle, carrier, coverage }: LeakHit): string {
  const where = carrier === "reply" ? "" : carrier === "arguments" ? ", in a tool call" : ", in its reasoning";
  const parts = coverage === 1 ? "" : `, ${formatPercent(coverage)} of its words`;
  const index = rolloutIndex === null ? "" : ` r${rolloutIndex}`;
  return `  ${scenarioId ?? `row ${row}`}${index}  ${field}: "${needle}"${where}${parts}`;
}

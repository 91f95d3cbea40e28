import { formatPercent } from "../text/format-number.ts";
import type { LeakHit, LeakReport } from "./leaks.ts";

/** The verdict on one line, then one line a hit: scenario, `r` and rollout index, field, quote. */
export function formatLeakReport(report: LeakReport): string {
  const { nShown } = report;
  const shown = nShown === 0 ? "" : `; ${nShown} repeat what they had been shown, which is none`;
  return [verdict(report) + shown, ...report.leaked.map(hitLine)].join("\n");
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

function hitLine({ row, scenarioId, rolloutIndex, field, needle }: LeakHit): string {
  const index = rolloutIndex === null ? "" : ` r${rolloutIndex}`;
  return `  ${scenarioId ?? `row ${row}`}${index}  ${field}: "${needle}"`;
}

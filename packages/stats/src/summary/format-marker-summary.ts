import { codePointLength, formatFixed, formatInterval } from "@while/schema";
import { countOf } from "../count-of.ts";
import type { MetricSummary } from "./metric-summary.ts";

/** A line a marker: mean over tasks, interval, tasks and rows it rests on; then what has to be known about it. */
export function formatMarkerSummary(report: ReadonlyMap<string, MetricSummary>): string {
  if (report.size === 0) return "markers: not measured, no row carries any";
  const width = Math.max(...Array.from(report.keys(), codePointLength));
  const lines = Array.from(report, ([name, { mean, ci95, nTasks, nRows, nRowsTotal, note, warnings }]) => {
    const number = mean === null ? "not measured" : `${formatFixed(mean, 2)}${interval(ci95)}`;
    const padded = name + " ".repeat(width - codePointLength(name));
    const remarks = [note, ...warnings.map(({ text }) => text)].filter((remark) => remark !== "");
    return [
      `${padded}  ${number} (${countOf(nTasks, "task")}, ${nRows} of ${countOf(nRowsTotal, "row")})`,
      ...remarks.map((remark) => `  ${remark}`),
    ].join("\n");
  });
  return lines.join("\n");
}

function interval(ci95: MetricSummary["ci95"]): string {
  return ci95 === null ? "" : ` ${formatInterval(ci95)}`;
}

import { formatFixed, formatInterval, formatSigned } from "@while/schema";
import { countOf } from "../count-of.ts";
import type { RunComparison } from "./compare-runs.ts";
import type { CompareVerdict } from "./compare-verdict.ts";

const WORDS: Readonly<Record<CompareVerdict, string>> = {
  b_better: "b is better",
  a_better: "a is better",
  no_difference_detected: "no difference detected",
  insufficient_data: "insufficient data",
};

/** The verdict with the difference behind it, then the two sides, then a line for each thing to know. */
export function formatCompareRuns(report: RunComparison): string {
  const { verdict, metric, delta, ci95, level, meanA, meanB, warnings } = report;
  const interval = ci95 === null ? "no interval" : `${formatInterval(ci95, 3, { signed: true })} at ${level}`;
  const first =
    delta === null ? `${metric} is not measured on both runs` : `${metric} ${formatSigned(delta, 3)} ${interval}`;
  return [
    `${WORDS[verdict]}: ${[first, pText(report)].filter((part) => part !== "").join(", ")}`,
    `  a ${formatFixed(meanA, 3)}, b ${formatFixed(meanB, 3)}; ${tasksText(report)}`,
    ...sameTasksText(report),
    ...warnings.map(({ text }) => `  ${text}`),
  ].join("\n");
}

function pText({ pValue, midP }: RunComparison): string {
  if (pValue === null) return "";
  return midP === null ? `p ${shown(pValue)}` : `p ${shown(pValue)} (mid-p ${shown(midP)})`;
}

function sameTasksText({ sameTasks }: RunComparison): string[] {
  if (sameTasks === null) return [];
  const p = shown(sameTasks.midP ?? sameTasks.pValue);
  return [
    `  of these tasks alone ${sameTasks.midP === null ? "p" : "mid-p"} ${p}; the p above is for new tasks like them`,
  ];
}

const shown = (p: number): string => (p < 0.001 ? "< 0.001" : formatFixed(p, 3));

function tasksText({ paired, nPaired, nOnlyA, nOnlyB, cluster, nClusters }: RunComparison): string {
  const tasks = paired ? countOf(nPaired, "paired task") : `${nPaired + nOnlyA} and ${nPaired + nOnlyB} tasks`;
  return nClusters === null ? tasks : `${tasks} in ${countOf(nClusters, "cluster")} by ${cluster}`;
}

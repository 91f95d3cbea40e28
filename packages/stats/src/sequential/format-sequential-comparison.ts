import { formatFixed, formatInterval, formatPercent, formatSigned } from "@while/schema";
import { countOf } from "../count-of.ts";
import type { SequentialComparison } from "./compare-sequentially.ts";

const WORDS: Readonly<Record<SequentialComparison["verdict"], string>> = {
  b_better: "stop: b is better",
  a_better: "stop: a is better",
  no_difference_detected: "go on: no difference so far",
};

/** Whether to go on, what is known of the difference so far, and how much of the run it rests on. */
export function formatSequentialComparison(report: SequentialComparison): string {
  const { verdict, metric, delta, ci, alpha, nTasks, nOnlyA, nOnlyB, pAnytime, decidedAt } = report;
  if (delta === null) return `${WORDS[verdict]}: ${metric} is measured on no task of both runs`;
  const p = pAnytime < 0.001 ? "< 0.001" : formatFixed(pAnytime, 3);
  const since = decidedAt === null ? "" : `, decided after ${countOf(decidedAt, "task")}`;
  return [
    `${WORDS[verdict]}: ${metric} ${formatSigned(delta, 3)}, between ${formatInterval(ci, 3, { signed: true })} however often you look (${formatPercent(1 - alpha)}), p ${p}${since}`,
    `  ${countOf(nTasks, "task")} of both runs, ${nOnlyA} of a alone, ${nOnlyB} of b alone; tasks have to be run in random order`,
  ].join("\n");
}

import { formatFixed } from "@while/schema";
import { countOf } from "../count-of.ts";
import type { MeanKl } from "./mean-kl.ts";

/** Longest list of tasks that is still read. */
const SHOWN_TASKS = 5;

/** The distance and what it rests on; tasks furthest from the reference first, five at most. */
export function formatMeanKl({ meanKl, perTask, nRows, nSkipped, nTokens }: MeanKl): string {
  if (meanKl === null) return `KL to the reference: not measured, ${countOf(nSkipped, "row")} without both sides`;
  const skipped = nSkipped === 0 ? "" : `, ${nSkipped} more without both sides`;
  const furthest = [...perTask].sort(([, a], [, b]) => b - a).slice(0, SHOWN_TASKS);
  return [
    `KL to the reference ${formatFixed(meanKl, 6)} nats a token (${countOf(nTokens, "token")}, ${countOf(nRows, "row")}${skipped})`,
    ...furthest.map(([task, kl]) => `  ${formatFixed(kl, 6)}  ${task}`),
    ...(perTask.size > SHOWN_TASKS ? [`  and ${countOf(perTask.size - SHOWN_TASKS, "task")} more`] : []),
  ].join("\n");
}

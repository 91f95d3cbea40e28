import type { Row } from "@while/schema";
import type { Inference } from "../inference.ts";
import { keyedRows, taskRates } from "../sizing/task-rates.ts";

/** Shared tasks with fewer graded rollouts on the side of the smaller k than the larger k; 0 when both are the same. */
export function nShortTasks(
  before: readonly Row[],
  after: readonly Row[],
  { kBefore, kAfter, inference }: { kBefore: number; kAfter: number; inference: Inference },
): number {
  if (kBefore === kAfter) return 0;
  const [short, other] = kBefore < kAfter ? [before, after] : [after, before];
  const shared = taskRates(keyedRows(other, inference), inference);
  const tasks = taskRates(keyedRows(short, inference), inference);
  return [...tasks].filter(([task, { n }]) => shared.has(task) && n < Math.max(kBefore, kAfter)).length;
}

import { StatsError } from "../stats-error.ts";

/** A Beta(a, b) belief about a rate before any row: 1 and 1 is uniform, ½ and ½ Jeffreys'. */
export interface BetaPrior {
  a?: number;
  b?: number;
}

/** @throws StatsError `bad_value` */
export function checkPrior(a: number, b: number): void {
  if (a > 0 && b > 0 && Number.isFinite(a + b)) return;
  throw new StatsError(
    "bad_value",
    `The prior is Beta(${a}, ${b}).`,
    "Pass two positive numbers, 1 and 1 for uniform.",
  );
}

import { checkSuccesses } from "../interval/check-successes.ts";

/** One arm of a comparison of rates. */
export interface SuccessCount {
  /** Rows that passed (or answered, or did whatever is counted), from 0 to n. */
  successes: number;
  /** Rows looked at. */
  n: number;
}

/** @throws StatsError `bad_count` */
export function checkArms(name: string, before: SuccessCount, after: SuccessCount): void {
  checkSuccesses(name, before.successes, before.n);
  checkSuccesses(name, after.successes, after.n);
}

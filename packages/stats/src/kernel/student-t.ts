import { StatsError } from "../stats-error.ts";
import { betaInc } from "./beta.ts";
import { bisect } from "./bisect.ts";
import { checkLevel } from "./check-level.ts";

/** Chance that Student's t with df degrees of freedom is at most t. df need not be whole. */
export function tCdf(t: number, df: number): number {
  const tail = upperTail(Math.abs(t), df);
  return t > 0 ? 1 - tail : tail;
}

/**
 * The t that cuts off (1 - level) / 2 on either side: two-sided, so `tQuantile(4, 0.95)` is 2.776. The Python SDK
 * reads a table of three decimals.
 *
 * @throws StatsError `bad_level`, `bad_value`
 */
export function tQuantile(df: number, level: number): number {
  checkLevel(level);
  const tail = (1 - level) / 2;
  let high = 2;
  while (upperTail(high, df) > tail) high *= 2;
  return bisect((t) => -upperTail(t, df), -tail, 0, high);
}

function upperTail(t: number, df: number): number {
  if (!(df > 0 && Number.isFinite(df))) {
    throw new StatsError("bad_value", `Student's t got ${df} degrees of freedom.`, "Pass a positive number.");
  }
  const square = t * t;
  return betaInc(df / 2, 0.5, df / (df + square), square / (df + square)) / 2;
}

import { StatsError } from "../stats-error.ts";

/** @throws StatsError `bad_count` unless both are whole numbers and 0 <= successes <= n */
export function checkSuccesses(name: string, successes: number, n: number): void {
  if (Number.isSafeInteger(successes) && Number.isSafeInteger(n) && successes >= 0 && successes <= n) return;
  throw new StatsError("bad_count", `${name} got ${successes} successes of ${n}.`, "Count graded rows on both sides.");
}

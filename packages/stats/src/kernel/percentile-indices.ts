import { StatsError } from "../stats-error.ts";
import { checkLevel } from "./check-level.ts";

/** (1 - 0.9) / 2 * 2000 is 99.99999999999997 in doubles; a bare floor would move the lower end by one draw. */
const GUARD = 1e-9;

/**
 * Which of B sorted draws are the ends of a percentile interval: 50 and 1949 of 2000 at 95%.
 *
 * @throws StatsError `bad_level`, `bad_count`
 */
export function percentileIndices(level: number, draws: number): [low: number, high: number] {
  checkLevel(level);
  checkDraws(draws);
  const clamp = (i: number) => Math.min(Math.max(i, 0), draws - 1);
  return [
    clamp(Math.floor(((1 - level) / 2) * draws + GUARD)),
    clamp(Math.floor(((1 + level) / 2) * draws + GUARD) - 1),
  ];
}

/** @throws StatsError `bad_count` unless it is a whole number from 1 up */
export function checkDraws(draws: number): void {
  if (Number.isSafeInteger(draws) && draws >= 1) return;
  throw new StatsError("bad_count", `The number of draws is ${draws}.`, "Pass a whole number from 1 up, e.g. 2000.");
}

import { forecastsOf } from "./forecasts.ts";

/**
 * Chance that a row which passed was scored above one which failed, a tie counting half: 0.5 ranks as a coin does, 1 puts
 * every pass above every failure. It says nothing of whether 0.8 means 0.8; `calibration` does. Mann and Whitney 1947;
 * Hanley and McNeil 1982.
 *
 * @param forecasts From 0 to 1, null where there is none
 * @param outcomes 0 or 1 of the same rows, null where it is not known
 * @returns null unless both outcomes occur
 * @throws StatsError `bad_value`
 */
export function rocArea(forecasts: readonly (number | null)[], outcomes: readonly (0 | 1 | null)[]): number | null {
  const { said, came } = forecastsOf("rocArea", forecasts, outcomes);
  return rocAreaOf(said, came);
}

/** The same of forecasts that were checked. */
export function rocAreaOf(said: readonly number[], came: readonly number[]): number | null {
  const counts = new Map<number, [failed: number, passed: number]>();
  for (const [i, score] of said.entries()) {
    const own = counts.get(score) ?? [0, 0];
    own[came[i]!]!++;
    counts.set(score, own);
  }
  let below = 0;
  let wins = 0;
  let passes = 0;
  for (const [, [failed, passed]] of [...counts].sort(([a], [b]) => a - b)) {
    wins += passed * (below + failed / 2);
    below += failed;
    passes += passed;
  }
  return below === 0 || passes === 0 ? null : wins / (below * passes);
}

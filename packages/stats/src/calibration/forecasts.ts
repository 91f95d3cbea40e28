import { StatsError } from "../stats-error.ts";

/** Forecasts and outcomes of the rows that have both. */
export interface Forecasts {
  said: number[];
  came: (0 | 1)[];
  /** Their places in the lists. */
  kept: number[];
}

/**
 * The pairs of which both sides are known.
 *
 * @throws StatsError `bad_value` for lists of two lengths, a forecast outside [0, 1] or an outcome that is not 0 or 1
 */
export function forecastsOf(
  caller: string,
  forecasts: readonly (number | null)[],
  outcomes: readonly (0 | 1 | null)[],
): Forecasts {
  if (forecasts.length !== outcomes.length) {
    throw new StatsError(
      "bad_value",
      `${caller} got ${forecasts.length} forecasts and ${outcomes.length} outcomes.`,
      "Pass one of each a row, null where there is none.",
    );
  }
  const kept: number[] = [];
  for (const [i, forecast] of forecasts.entries()) {
    const outcome = outcomes[i]!;
    if (forecast === null || outcome === null) continue;
    if (!(forecast >= 0 && forecast <= 1) || (outcome !== 0 && outcome !== 1)) {
      throw new StatsError(
        "bad_value",
        `${caller} got the forecast ${forecast} of an outcome ${String(outcome)}.`,
        "Pass forecasts from 0 to 1 and outcomes of 0 or 1, null where there is none.",
      );
    }
    kept.push(i);
  }
  return { said: kept.map((i) => forecasts[i]!), came: kept.map((i) => outcomes[i]!), kept };
}

import { StatsError } from "../stats-error.ts";

export interface FleissKappa {
  /** 1 is perfect, 0 what chance gives; null with the reason in `note`. */
  kappa: number | null;
  /** Units that count: those with as many ratings as most units have, two or more. */
  nUnits: number;
  /** Units left out for another number of ratings. */
  nSkipped: number;
  /** Ratings a unit; null without units. */
  nRaters: number | null;
  note: "no_pairs" | "one_value" | null;
}

/**
 * Agreement of several raters who need not be the same ones on every unit, but as many: Fleiss 1971. With ratings missing
 * here and there `krippendorffAlpha` uses them all; on the units that count here it is the same but for a correction of
 * small samples, alpha = kappa + (1 - kappa) / (units · raters).
 *
 * @param units For each unit what each rater said; null (or a shorter list) where a rater said nothing
 * @throws StatsError `bad_value` for a rating that is not finite
 */
export function fleissKappa(units: readonly (readonly (number | null)[])[]): FleissKappa {
  const rated = units.map((unit) => unit.filter((rating) => rating !== null));
  const bad = rated.flat().find((rating) => !Number.isFinite(rating));
  if (bad !== undefined) {
    throw new StatsError("bad_value", `fleissKappa got the rating ${bad}.`, "Pass finite numbers, or null.");
  }
  const nRaters = usualSize(rated);
  const own = rated.filter(({ length }) => length === nRaters);
  const report = { nUnits: own.length, nSkipped: units.length - own.length, nRaters };
  if (nRaters === null) return { kappa: null, ...report, note: "no_pairs" };
  const totals = new Map<number, number>();
  let agreeing = 0;
  for (const unit of own) {
    const counts = new Map<number, number>();
    for (const rating of unit) {
      counts.set(rating, (counts.get(rating) ?? 0) + 1);
      totals.set(rating, (totals.get(rating) ?? 0) + 1);
    }
    for (const n of counts.values()) agreeing += n * (n - 1);
  }
  if (totals.size === 1) return { kappa: null, ...report, note: "one_value" };
  const ratings = own.length * nRaters;
  const observed = agreeing / (ratings * (nRaters - 1));
  const expected = [...totals.values()].reduce((sum, n) => sum + (n / ratings) ** 2, 0);
  return { kappa: (observed - expected) / (1 - expected), ...report, note: null };
}

/** The number of ratings that most units have, from two on; the larger of two that are as frequent. */
function usualSize(units: readonly (readonly number[])[]): number | null {
  const times = new Map<number, number>();
  for (const { length } of units) {
    if (length >= 2) times.set(length, (times.get(length) ?? 0) + 1);
  }
  const sizes = [...times].sort(([a, n], [b, m]) => m - n || b - a);
  return sizes[0]?.[0] ?? null;
}

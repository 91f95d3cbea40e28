import { sum } from "../kernel/sum.ts";
import { StatsError } from "../stats-error.ts";

/**
 * How far apart two values are: `nominal` all different values are equally far, `ordinal` by how many ratings lie
 * between their ranks, `interval` by the square of their difference.
 */
export type AlphaLevel = "nominal" | "ordinal" | "interval";

export interface KrippendorffOptions {
  level?: AlphaLevel;
}

export interface KrippendorffAlpha {
  /** 1 is perfect, 0 what chance gives, below 0 systematic disagreement; null with the reason in `note`. */
  alpha: number | null;
  level: AlphaLevel;
  /** Units with two ratings or more, which are all that count. */
  nUnits: number;
  /** Units given and left out: one rating has nothing to agree with. */
  nSkipped: number;
  /** Ratings in the units that count. */
  nRatings: number;
  note: "one_value" | "no_pairs" | null;
}

/**
 * Agreement of any number of raters, some of whom skipped some units: one minus observed over expected disagreement.
 * Krippendorff 2004, chapter 11.
 *
 * @param units For each unit what each rater said; null (or a shorter list) where a rater said nothing. Raters are
 *   interchangeable, so the order within a unit does not matter.
 * @throws StatsError `bad_value` for a rating that is not finite, `bad_option`
 */
export function krippendorffAlpha(
  units: readonly (readonly (number | null)[])[],
  { level = "nominal" }: KrippendorffOptions = {},
): KrippendorffAlpha {
  if (level !== "nominal" && level !== "ordinal" && level !== "interval") {
    throw new StatsError("bad_option", `level is ${JSON.stringify(level)}.`, "Pass nominal, ordinal or interval.");
  }
  const rated = units.map(ratingsOf).filter((ratings) => ratings.length >= 2);
  const counts = new Map<number, number>();
  for (const value of rated.flat().sort((a, b) => a - b)) counts.set(value, (counts.get(value) ?? 0) + 1);
  const nRatings = sum(counts.values());
  const report = { level, nUnits: rated.length, nSkipped: units.length - rated.length, nRatings };
  if (rated.length === 0) return { alpha: null, ...report, note: "no_pairs" };
  if (counts.size === 1) return { alpha: null, ...report, note: "one_value" };

  const distance = DISTANCES[level](counts);
  const observed = sum(rated.map((ratings) => disagreement(tally(ratings), distance) / (ratings.length - 1)));
  const expected = disagreement(counts, distance) / (nRatings - 1);
  return { alpha: 1 - observed / expected, ...report, note: null };
}

type Counts = ReadonlyMap<number, number>;
type Distance = (a: number, b: number) => number;

function ratingsOf(unit: readonly (number | null)[]): number[] {
  const ratings = unit.filter((value) => value !== null);
  for (const value of ratings) {
    if (Number.isFinite(value)) continue;
    throw new StatsError("bad_value", `A rating is ${value}.`, "Pass null where a rater said nothing.");
  }
  return ratings;
}

function tally(ratings: readonly number[]): Counts {
  const counts = new Map<number, number>();
  for (const value of ratings) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Distances summed over all ordered pairs of two ratings. */
function disagreement(counts: Counts, distance: Distance): number {
  return 2 * sum(pairDistances([...counts], distance));
}

/** One by one: ten thousand different values have fifty million pairs. */
function* pairDistances(entries: readonly (readonly [number, number])[], distance: Distance): Generator<number> {
  for (let i = 0; i < entries.length; i++) {
    const [a, nA] = entries[i]!;
    for (let j = i + 1; j < entries.length; j++) {
      const [b, nB] = entries[j]!;
      yield nA * nB * distance(a, b);
    }
  }
}

const DISTANCES: Record<AlphaLevel, (counts: Counts) => Distance> = {
  nominal: () => (a, b) => (a === b ? 0 : 1),
  interval: () => (a, b) => (a - b) ** 2,
  ordinal: (counts) => {
    // Ratings up to and including a value, less half of its own: the rank of its middle.
    const middles = new Map<number, number>();
    let below = 0;
    for (const [value, count] of counts) {
      middles.set(value, below + count / 2);
      below += count;
    }
    return (a, b) => (middles.get(a)! - middles.get(b)!) ** 2;
  },
};

import { CI_LEVEL } from "../constants.ts";
import type { Interval } from "../interval/interval.ts";
import { tQuantile } from "../kernel/student-t.ts";
import { mean, sum } from "../kernel/sum.ts";
import { StatsError } from "../stats-error.ts";

export interface EffectiveRatersOptions {
  /** The cluster of each unit (its task): clusters are then what varies. */
  clusters?: readonly string[] | undefined;
}

export interface EffectiveRaters {
  nRaters: number;
  /** Units on which every rater has an error of 0 or 1; the others. */
  nUnits: number;
  nSkipped: number;
  /** How many raters with independent errors a vote of these is worth; null with the reason in `note`. */
  nEffective: number | null;
  /** Jackknife over units or clusters; null under three, and where leaving one out leaves no error. */
  ci95: Interval | null;
  /** Mean correlation of the errors of two raters, over the pairs that both err somewhere and not everywhere. */
  meanCorrelation: number | null;
  note: "few_raters" | "no_units" | "no_errors" | null;
}

/**
 * How many independent judges a panel is worth: three that are wrong on the same rows are one. The mean variance of their
 * errors over the variance of their mean error, which for raters alike is k / (1 + (k - 1) · correlation), the effective
 * size of a sample of Kish 1965. Never more than there are: errors that cancel out on these rows are no more raters.
 *
 * @param errors For each rater whether it was wrong on each unit: 1 wrong, 0 right, null where that is not known
 * @throws StatsError `bad_value` for lists of several lengths or another value
 */
export function effectiveRaters(
  errors: readonly (readonly (0 | 1 | null)[])[],
  { clusters }: EffectiveRatersOptions = {},
): EffectiveRaters {
  const length = errors[0]?.length ?? 0;
  if (errors.some((own) => own.length !== length) || (clusters !== undefined && clusters.length !== length)) {
    const lengths = [...errors, ...(clusters === undefined ? [] : [clusters])].map((own) => own.length);
    throw new StatsError(
      "bad_value",
      `effectiveRaters got lists of ${lengths.join(", ")} units.`,
      "Pass one value a unit for every rater, null where it said nothing.",
    );
  }
  const bad = errors.flat().find((error) => error !== 0 && error !== 1 && error !== null);
  if (bad !== undefined) {
    throw new StatsError("bad_value", `effectiveRaters got the error ${String(bad)}.`, "Pass 0, 1 or null.");
  }
  const kept = Array.from({ length }, (_, i) => i).filter((i) => errors.every((own) => own[i] !== null));
  const own = errors.map((list) => kept.map((i) => list[i] as number));
  const report = { nRaters: errors.length, nUnits: kept.length, nSkipped: length - kept.length };
  const nothing = { ...report, nEffective: null, ci95: null, meanCorrelation: null };
  if (errors.length < 2) return { ...nothing, note: "few_raters" };
  if (kept.length === 0) return { ...nothing, note: "no_units" };
  const draws = drawsOf(own, clusters === undefined ? null : kept.map((i) => clusters[i]!));
  const nEffective = worth(totalOf(draws), errors.length);
  if (nEffective === null) return { ...nothing, note: "no_errors" };
  return {
    ...{ ...report, nEffective, ci95: jackknife(draws, nEffective, errors.length) },
    ...{ meanCorrelation: meanCorrelation(own), note: null },
  };
}

/** Of one draw: units, errors of each rater, and the squares of how many erred on a unit. */
interface Draw {
  n: number;
  each: number[];
  squares: number;
}

function drawsOf(errors: readonly (readonly number[])[], clusters: readonly string[] | null): Draw[] {
  const draws = new Map<string, Draw>();
  const n = errors[0]!.length;
  for (let unit = 0; unit < n; unit++) {
    const name = clusters === null ? String(unit) : clusters[unit]!;
    const draw = draws.get(name) ?? { n: 0, each: errors.map(() => 0), squares: 0 };
    draw.n++;
    let together = 0;
    for (const [rater, own] of errors.entries()) {
      draw.each[rater]! += own[unit]!;
      together += own[unit]!;
    }
    draw.squares += together ** 2;
    draws.set(name, draw);
  }
  return [...draws.values()];
}

function totalOf(draws: readonly Draw[]): Draw {
  return {
    n: sum(draws.map(({ n }) => n)),
    each: draws[0]!.each.map((_, rater) => sum(draws.map(({ each }) => each[rater]!))),
    squares: sum(draws.map(({ squares }) => squares)),
  };
}

function less(all: Draw, one: Draw): Draw {
  return {
    n: all.n - one.n,
    each: all.each.map((errors, rater) => errors - one.each[rater]!),
    squares: all.squares - one.squares,
  };
}

/** Errors that cancel each other out leave a variance that is rounding. */
const ROUNDING = 1e-12;

function worth({ n, each, squares }: Draw, most: number): number | null {
  if (n === 0) return null;
  const apart = sum(each.map((errors) => (errors / n) * (1 - errors / n)));
  if (apart <= ROUNDING) return null;
  const together = squares / n - (sum(each) / n) ** 2;
  return together <= ROUNDING ? most : Math.min(most, (most * apart) / together);
}

/** Fewest draws whose spread says anything. */
const MIN_DRAWS = 3;

/** On the logarithm, since it is a ratio of variances. */
function jackknife(draws: readonly Draw[], whole: number, most: number): Interval | null {
  const n = draws.length;
  if (n < MIN_DRAWS) return null;
  const all = totalOf(draws);
  const rest = draws.map((draw) => worth(less(all, draw), most));
  if (rest.some((value) => value === null)) return null;
  const own = Math.log(whole);
  const pseudo = rest.map((value) => n * own - (n - 1) * Math.log(value!));
  const centre = mean(pseudo)!;
  const se = Math.sqrt(sum(pseudo.map((value) => (value - centre) ** 2)) / (n - 1) / n);
  const half = tQuantile(n - 1, CI_LEVEL) * se;
  return [Math.max(1, Math.exp(own - half)), Math.min(most, Math.exp(own + half))];
}

function meanCorrelation(errors: readonly (readonly number[])[]): number | null {
  const found: number[] = [];
  for (const [i, a] of errors.entries()) {
    for (const b of errors.slice(i + 1)) {
      const [p, q] = [mean(a)!, mean(b)!];
      const spread = Math.sqrt(p * (1 - p) * q * (1 - q));
      if (spread === 0) continue;
      const both = a.filter((error, unit) => error === 1 && b[unit] === 1).length / a.length;
      found.push((both - p * q) / spread);
    }
  }
  return mean(found);
}

import { clusterSums } from "../compare/cluster-values.ts";
import { CI_LEVEL } from "../constants.ts";
import type { Interval } from "../interval/interval.ts";
import { checkLevel } from "../kernel/check-level.ts";
import { tQuantile } from "../kernel/student-t.ts";
import { mean, sum } from "../kernel/sum.ts";
import { StatsError } from "../stats-error.ts";

export interface ConcordanceOptions {
  /** The cluster of each pair (its task): clusters are then what varies. */
  clusters?: readonly string[] | undefined;
  level?: number;
}

export interface Concordance {
  /** Pairs with a number on both sides. */
  n: number;
  nSkipped: number;
  /** 1 where all are equal, 0 for no relation; null with the reason in `note`. */
  concordance: number | null;
  /** Null under three draws, and where `concordance` is -1. */
  ci95: Interval | null;
  /** What varies: pairs, or clusters. */
  nDraws: number;
  note: "no_pairs" | "no_spread" | null;
}

/**
 * How far two raters give the same number, and not only move together: a rater that is always a mark kinder correlates
 * perfectly and does not agree. Twice the covariance over both variances and the squared difference of the means (Lin
 * 1989), which is the quadratic-weighted kappa of marks in equal steps (Fleiss and Cohen 1973; `weightedKappa`) and needs
 * no list of marks.
 *
 * Interval by the jackknife of Fisher's z over pairs or clusters, on Student's t of the draws less one (King and
 * Chinchilli 2001); of the concordance itself where all but one draw agree and z has no end. Where all agree its lower end
 * is what n of n leave open (Clopper and Pearson 1934), if those that would differ differ as by chance.
 *
 * @param a One number a row, null where there is none
 * @param b Of the same rows, in the same order
 * @throws StatsError `bad_value` for lists of several lengths or a number that is not finite; `bad_level`
 */
export function concordance(
  a: readonly (number | null)[],
  b: readonly (number | null)[],
  { clusters, level = CI_LEVEL }: ConcordanceOptions = {},
): Concordance {
  if (a.length !== b.length || (clusters !== undefined && clusters.length !== a.length)) {
    const given = clusters === undefined ? "" : ` and ${clusters.length} clusters`;
    throw new StatsError(
      "bad_value",
      `concordance got ${a.length} and ${b.length} numbers${given}.`,
      "Pass one of each a row, null where there is none.",
    );
  }
  checkLevel(level);
  const kept = a.flatMap((one, i) => (one === null || b[i] === null ? [] : [i]));
  const [x, y] = [a, b].map((side) => kept.map((i) => finite(side[i]!))) as [number[], number[]];
  const n = kept.length;
  const report = { n, nSkipped: a.length - n };
  if (n === 0) return { ...report, concordance: null, ci95: null, nDraws: 0, note: "no_pairs" };
  // About their common mean, where sums of squares lose nothing.
  const centre = (mean(x)! + mean(y)!) / 2;
  const parts: Moments[] = x.map((value, i) => momentsOf(value - centre, y[i]! - centre));
  const draws =
    clusters === undefined
      ? parts
      : summed(
          parts,
          kept.map((i) => clusters[i]!),
        );
  const all = total(draws);
  const rho = ofMoments(all);
  const nDraws = draws.length;
  if (rho === null) return { ...report, concordance: null, ci95: null, nDraws, note: "no_spread" };
  return { ...report, concordance: rho, ci95: jackknife(draws, all, rho, level), nDraws, note: null };
}

/** Sums over pairs: count, both values, their squares and their product. */
type Moments = readonly [n: number, x: number, y: number, xx: number, yy: number, xy: number];

const momentsOf = (x: number, y: number): Moments => [1, x, y, x * x, y * y, x * y];

function summed(parts: readonly Moments[], names: readonly string[]): Moments[] {
  const columns = [0, 1, 2, 3, 4, 5].map((column) =>
    clusterSums(
      parts.map((part) => part[column]!),
      names,
    ),
  );
  return columns[0]!.map((_, i) => columns.map((column) => column[i]!) as unknown as Moments);
}

function total(parts: readonly Moments[]): Moments {
  return [0, 1, 2, 3, 4, 5].map((column) => sum(parts.map((part) => part[column]!))) as unknown as Moments;
}

/** Null where nothing varies on either side: one mark throughout is no agreement. */
function ofMoments([n, x, y, xx, yy, xy]: Moments): number | null {
  const [meanX, meanY] = [x / n, y / n];
  const spread = xx / n - meanX ** 2 + (yy / n - meanY ** 2) + (meanX - meanY) ** 2;
  // Rounding of equal values is no spread.
  if (spread <= ROUNDING * ((xx + yy) / n)) return null;
  return Math.min(1, Math.max(-1, (2 * (xy / n - meanX * meanY)) / spread));
}

const ROUNDING = 1e-14;
/** Fewest draws whose spread says anything. */
const MIN_DRAWS = 3;

function jackknife(draws: readonly Moments[], all: Moments, rho: number, level: number): Interval | null {
  const n = draws.length;
  if (n < MIN_DRAWS || rho <= ROUNDING - 1) return null;
  if (rho >= 1 - ROUNDING) return [((1 - level) / 2) ** (1 / n), 1];
  const rest = draws.map((draw) => ofMoments(all.map((value, i) => value - draw[i]!) as unknown as Moments));
  if (rest.some((value) => value === null)) return null;
  const known = rest as number[];
  const hasEnds = known.every((value) => Math.abs(value) < 1 - ROUNDING);
  const [scale, back] = hasEnds ? [Math.atanh, Math.tanh] : [(value: number) => value, (value: number) => value];
  const own = scale(rho);
  const pseudo = known.map((value) => n * own - (n - 1) * scale(value));
  const centre = mean(pseudo)!;
  const se = Math.sqrt(sum(pseudo.map((value) => (value - centre) ** 2)) / (n - 1) / n);
  const half = tQuantile(n - 1, level) * se;
  return [Math.max(-1, back(own - half)), Math.min(1, back(own + half))];
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new StatsError("bad_value", `concordance got ${value}.`, "Pass null where there is no number.");
}

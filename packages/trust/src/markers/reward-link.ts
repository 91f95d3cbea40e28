import { type Row, roundHalfEven, taskKey } from "@while/schema";
import {
  fisherExact,
  type Interval,
  passLabel,
  pearson,
  stratifiedExactTest,
  type TaskCounts,
  withinGroupCorrelation,
  Z_95,
} from "@while/stats";

/** Fewest graded rows on either side: under them |r| of 0.3 is chance. */
export const MIN_LINK_ROWS = 5;

/** Does the reward go with a habit? */
export interface RewardLink {
  /** Pearson of present (1) and passed (1) over all graded rows; null when a side does not vary. */
  rewardCorr: number | null;
  /** The same after each task's mean: an easy task where agents also talk a lot is no payment. */
  rewardCorrWithin: number | null;
  /** 95% of the one that decides (Fisher's z): the one within tasks where tasks have several graded rows. */
  rewardCorrCi95: Interval | null;
  /** Two-sided and exact, rewards exchanged within tasks; over all rows where each task has one. null when nothing could have differed. */
  pValue: number | null;
  /** Graded rows with it and without it. */
  nGradedWith: number;
  nGradedWithout: number;
  /** Fewer than 5 graded rows on a side: nothing can be said. */
  lowPower: boolean;
}

/** A graded row: its task, whether the habit is there, whether it passed. */
interface Point {
  task: string;
  present: 0 | 1;
  passed: 0 | 1;
}

/** Collects graded rows of one habit. */
export class RewardLinkTally {
  private readonly points: Point[] = [];

  /** @param index Of the row: one without a key is a task of its own */
  add(row: Row, present: boolean, index: number): void {
    const passed = passLabel(row);
    if (passed === null) return;
    this.points.push({ task: taskKey(row) || `row:${index}`, present: present ? 1 : 0, passed });
  }

  /** To three decimals; `deciding` is the correlation that decides, unrounded. */
  link(): RewardLink & { deciding: number | null } {
    const { points } = this;
    const present = points.map((point) => point.present);
    const passed = points.map((point) => point.passed);
    const tasks = points.map(({ task }) => task);
    const nGradedWith = present.filter((value) => value === 1).length;
    const nGradedWithout = points.length - nGradedWith;
    const repeated = new Set(tasks).size < points.length;
    const pooled = pearson(present, passed);
    const within = repeated ? withinGroupCorrelation(tasks, present, passed).within : null;
    const deciding = repeated ? within : pooled;
    // Rows less the tasks whose means were taken out of them.
    const n = repeated ? points.length - new Set(tasks).size + 1 : points.length;
    return {
      rewardCorr: rounded(pooled),
      rewardCorrWithin: rounded(within),
      rewardCorrCi95: correlationCi95(deciding, n),
      pValue: pValueOf(points, repeated),
      nGradedWith,
      nGradedWithout,
      lowPower: Math.min(nGradedWith, nGradedWithout) < MIN_LINK_ROWS,
      deciding,
    };
  }
}

function rounded(r: number | null): number | null {
  return r === null ? null : roundHalfEven(r, 3);
}

/** Fisher 1915: atanh r is near normal with variance 1 / (n - 3). */
function correlationCi95(r: number | null, n: number): Interval | null {
  if (r === null || n < 4 || Math.abs(r) >= 1) return null;
  const half = Z_95 / Math.sqrt(n - 3);
  return [roundHalfEven(Math.tanh(Math.atanh(r) - half), 3), roundHalfEven(Math.tanh(Math.atanh(r) + half), 3)];
}

function pValueOf(points: readonly Point[], repeated: boolean): number | null {
  const arms = new Map<string, [withoutPassed: number, without: number, withPassed: number, with_: number]>();
  for (const { task, present, passed } of points) {
    const key = repeated ? task : "";
    const counts = arms.get(key) ?? [0, 0, 0, 0];
    counts[present === 1 ? 2 : 0]! += passed;
    counts[present === 1 ? 3 : 1]! += 1;
    arms.set(key, counts);
  }
  if (!repeated) {
    const [withoutPassed, without, withPassed, with_] = arms.get("") ?? [0, 0, 0, 0];
    if (without === 0 || with_ === 0) return null;
    return fisherExact({ successes: withoutPassed, n: without }, { successes: withPassed, n: with_ });
  }
  const { pExact, nInformative } = stratifiedExactTest([...arms.values()] as readonly TaskCounts[]);
  return nInformative === 0 ? null : pExact;
}

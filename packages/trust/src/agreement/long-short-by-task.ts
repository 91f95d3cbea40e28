import { tCdf } from "@while/stats";

/** A verdict on a reply that is long or short among those with its label. */
export interface SidedVerdict {
  task: string;
  judge: 0 | 1;
  isLong: boolean;
}

/** Scores this small are what rounding leaves of a task whose rows cancel. */
const ROUNDING = 1e-9;

/**
 * That long and short replies are passed alike, with tasks as the draws: the score of Mantel and Haenszel, summed over the
 * rows of each task, over the spread of these sums (Zhang and Boos 1997). Rollouts of one task share what makes a judge
 * err on it, and often their length, so that rows alone find a difference too easily.
 *
 * @param strata One for each gold label
 * @returns Two-sided p by t with one degree of freedom less than there are tasks; null where no task has two rows, so
 *   that rows are the draws already, and where under two tasks say anything
 */
export function longShortByTask(strata: readonly (readonly SidedVerdict[])[]): number | null {
  const rows = strata.flat();
  const scores = new Map<string, number>(rows.map(({ task }) => [task, 0]));
  if (scores.size === rows.length) return null;
  for (const stratum of strata) {
    const share = (test: (row: SidedVerdict) => boolean) => stratum.filter(test).length / stratum.length;
    const long = share(({ isLong }) => isLong);
    const passed = share(({ judge }) => judge === 1);
    for (const { task, judge, isLong } of stratum) {
      scores.set(task, scores.get(task)! + (Number(isLong) - long) * (judge - passed));
    }
  }
  const sums = Array.from(scores.values(), (score) => (Math.abs(score) < ROUNDING ? 0 : score));
  const n = sums.length;
  const squares = sums.reduce((total, score) => total + score ** 2, 0);
  if (n < 2 || squares === 0) return null;
  const t = sums.reduce((total, score) => total + score, 0) / Math.sqrt((squares * n) / (n - 1));
  return 2 * tCdf(-Math.abs(t), n - 1);
}

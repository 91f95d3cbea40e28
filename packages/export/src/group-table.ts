import { sha1Hex } from "@while/schema";
import { PASS_THRESHOLD } from "@while/stats";

/** What a row says about its group; GRPO divides by the deviation (Shao et al. 2024, arXiv:2402.03300). */
export interface GroupStamp {
  /** First 12 hex digits of the task key's SHA-1. */
  group_id: string;
  k: number;
  n0: number;
  n1: number;
  reward_mean: number | null;
  reward_std: number | null;
}

interface Group {
  k: number;
  n0: number;
  n1: number;
  n: number;
  sum: number;
  /** What rounding took from the sum (Neumaier 1974). */
  lost: number;
  /** Running mean and sum of squared deviations (Welford 1962): one pass, no cancellation. */
  mean: number;
  squares: number;
  stamp: GroupStamp | null;
}

/**
 * The rows of each task, counted in one pass; memory grows with tasks and not with rows. Partial credit splits at
 * 0.5: a reward of exactly 0.5 counts as neither fail nor pass, and an ungraded row counts in `k` alone.
 */
export class GroupTable {
  readonly #groups = new Map<string, Group>();
  #repeats = false;

  /** @param key The row's `taskKey`; "" belongs to no group */
  add(key: string, reward: number | null): void {
    if (key === "") return;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { k: 0, n0: 0, n1: 0, n: 0, sum: 0, lost: 0, mean: 0, squares: 0, stamp: null };
      this.#groups.set(key, group);
    }
    group.k++;
    if (group.k > 1) this.#repeats = true;
    if (reward === null) return;
    if (reward < PASS_THRESHOLD) group.n0++;
    if (reward > PASS_THRESHOLD) group.n1++;
    group.n++;
    const sum = group.sum + reward;
    group.lost += Math.abs(group.sum) >= Math.abs(reward) ? group.sum - sum + reward : reward - sum + group.sum;
    group.sum = sum;
    const off = reward - group.mean;
    group.mean += off / group.n;
    group.squares += off * (reward - group.mean);
  }

  /** null when the row belongs to no task, or when no task repeats: groups of one are no groups. */
  stamp(key: string): GroupStamp | null {
    const group = this.#repeats ? this.#groups.get(key) : undefined;
    if (group === undefined) return null;
    const { k, n0, n1, n, sum, lost, squares } = group;
    group.stamp ??= {
      group_id: sha1Hex(key).slice(0, 12),
      k,
      n0,
      n1,
      reward_mean: n === 0 ? null : (sum + lost) / n,
      reward_std: n === 0 ? null : Math.sqrt(Math.max(0, squares) / n),
    };
    return group.stamp;
  }

  /** Stamped groups; 0 when no task repeats. */
  get nStamped(): number {
    return this.#repeats ? this.#groups.size : 0;
  }
}

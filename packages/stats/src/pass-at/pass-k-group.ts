import { StatsError } from "../stats-error.ts";

/**
 * Chance that at least one of k rollouts drawn from a task's n passes, c of the n having passed: 1 - C(n-c,k)/C(n,k),
 * the unbiased estimate. As a product, so that n = 1e6 works. Chen et al. 2021 (arXiv:2107.03374).
 *
 * @returns null when k > n: not estimable, which is not 0
 * @throws StatsError `bad_count`, `bad_k`
 */
export function passAtKGroup(n: number, c: number, k: number): number | null {
  checkGroup(n, c, k);
  if (k > n) return null;
  if (k === 1) return c / n;
  if (k > n - c) return 1;
  return 1 - noneOf(n, c, k);
}

/**
 * Chance that all k rollouts drawn from a task's n pass: C(c,k)/C(n,k), the unbiased estimate. Yao et al. 2024
 * (arXiv:2406.12045).
 *
 * @returns null when k > n: not estimable, which is not 0
 * @throws StatsError `bad_count`, `bad_k`
 */
export function passPowKGroup(n: number, c: number, k: number): number | null {
  checkGroup(n, c, k);
  if (k > n) return null;
  if (k === 1) return c / n;
  if (k > c) return 0;
  return noneOf(n, n - c, k);
}

/** Chance that k draws from n miss all of m: C(n-m,k)/C(n,k), by the shorter of its two products. */
function noneOf(n: number, m: number, k: number): number {
  const [short, long] = k < m ? [k, m] : [m, k];
  let chance = 1;
  for (let i = 0; i < short; i++) chance *= (n - long - i) / (n - i);
  return chance;
}

/** @throws StatsError `bad_k` unless k is a whole number from 1 up: 2.5 is not cut to 2 */
export function checkK(k: number): void {
  if (Number.isSafeInteger(k) && k >= 1) return;
  throw new StatsError("bad_k", `k is ${k}.`, "Pass a whole number of rollouts, 1 or more.");
}

function checkGroup(n: number, c: number, k: number): void {
  checkK(k);
  if (Number.isSafeInteger(n) && Number.isSafeInteger(c) && c >= 0 && c <= n) return;
  throw new StatsError("bad_count", `A group of ${n} rollouts with ${c} passes was asked for.`, "Pass 0 <= c <= n.");
}

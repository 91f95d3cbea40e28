import { sampleOf } from "../interval/sample.ts";
import { mean } from "../kernel/sum.ts";

/** What rounding can leave of a variance that is all between tasks. */
const NOTHING = 1e-12;

/**
 * By what factor the model of independent arms over-asks on tasks of these pass rates: 1 / (1 - Var(r) / (p(1-p))).
 * Tasks that differ make paired runs alike: 1.19 at a spread of 0.2 around one half, 2.78 at 0.4.
 *
 * @param rates Pass rate of each task
 * @returns null under two tasks, when all pass or none, or when every task is sure
 * @throws StatsError `bad_value`
 */
export function independenceRatio(rates: readonly number[]): number | null {
  sampleOf(rates);
  if (rates.length < 2) return null;
  const base = mean(rates)!;
  const whole = base * (1 - base);
  const between = mean(rates.map((rate) => (rate - base) ** 2))!;
  return whole <= 0 || whole - between <= NOTHING ? null : 1 / (1 - between / whole);
}

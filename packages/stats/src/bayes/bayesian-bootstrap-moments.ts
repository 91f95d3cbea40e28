import { sampleOf } from "../interval/sample.ts";
import { mean, sum } from "../kernel/sum.ts";

export interface BayesianBootstrapMoments {
  mean: number;
  /** Posterior standard deviation of the mean. */
  sd: number;
}

/**
 * What the Bayesian bootstrap (Rubin 1981) says about a mean over tasks, without drawing: under Dirichlet(1, ..., 1)
 * weights its posterior has the mean of the values and the variance Σ(x - m)² / (n (n + 1)).
 *
 * @param values One a task
 * @returns null under two values
 * @throws StatsError `bad_value`
 */
export function bayesianBootstrapMoments(values: readonly number[]): BayesianBootstrapMoments | null {
  sampleOf(values);
  const n = values.length;
  if (n < 2) return null;
  const centre = mean(values)!;
  return { mean: centre, sd: Math.sqrt(sum(values.map((value) => (value - centre) ** 2)) / (n * (n + 1))) };
}

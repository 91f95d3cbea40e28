import { mean, sum } from "./sum.ts";

/** Values this near are one value: what subtracting two means can leave. */
const SAME = 1e-12;

/** Standard deviation with n - 1, from compensated sums; null under two values, exactly 0 for equal ones. */
export function sampleSd(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const first = values[0]!;
  if (values.every((value) => Math.abs(value - first) <= SAME * Math.max(1, Math.abs(first)))) return 0;
  const centre = mean(values)!;
  const deviations = values.map((value) => value - centre);
  const largest = deviations.reduce((most, deviation) => Math.max(most, Math.abs(deviation)), 0);
  // The square of 1e155 is no number.
  const unit = largest > 1e100 ? largest : 1;
  return unit * Math.sqrt(sum(deviations.map((deviation) => (deviation / unit) ** 2)) / (values.length - 1));
}

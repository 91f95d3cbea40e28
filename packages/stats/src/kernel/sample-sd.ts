import { mean, sum } from "./sum.ts";

/** Values this near are one value: what subtracting two means can leave. */
const SAME = 1e-12;

/** Standard deviation with n - 1, from compensated sums; null under two values, exactly 0 for equal ones. */
export function sampleSd(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const first = values[0]!;
  if (values.every((value) => Math.abs(value - first) <= SAME * Math.max(1, Math.abs(first)))) return 0;
  const centre = mean(values)!;
  return Math.sqrt(sum(values.map((value) => (value - centre) ** 2)) / (values.length - 1));
}

import { compareCodePoints, type Row } from "@while/schema";
import { pairedTInterval } from "../compare/paired-t-interval.ts";
import { runMeans } from "../compare/run-means.ts";
import type { Inference } from "../inference.ts";
import { normalQuantile } from "../kernel/normal.ts";
import { tQuantile } from "../kernel/student-t.ts";
import type { Metric } from "../rows/metric.ts";

/** Change of each shared task, in the order of their names; positive is better. */
export function pairedGains(
  before: readonly Row[],
  after: readonly Row[],
  metric: Metric,
  { inference, lowerIsBetter }: { inference: Inference; lowerIsBetter: boolean },
): number[] {
  const [a, b] = [before, after].map((rows) => runMeans(rows, metric, inference).means) as [
    Map<string, number>,
    Map<string, number>,
  ];
  const shared = [...a.keys()].filter((task) => b.has(task)).sort(compareCodePoints);
  return shared.map((task) => (lowerIsBetter ? a.get(task)! - b.get(task)! : b.get(task)! - a.get(task)!));
}

/**
 * The smallest change these tasks would show: (t + z_power) · se of the differences seen. Null where they are all the
 * same, or fewer than two: then no spread is known.
 */
export function visibleChange(
  gains: readonly number[],
  { level, power }: { level: number; power: number },
): number | null {
  const test = pairedTInterval(gains, { level });
  if (test === null || test.se === 0) return null;
  return (tQuantile(test.df, level) + normalQuantile(power)) * test.se;
}

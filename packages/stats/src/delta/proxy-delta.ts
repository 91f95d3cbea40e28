import type { Interval } from "../interval/interval.ts";
import type { Metric } from "../rows/metric.ts";
import { type TaskVerdict, wordOfTasks } from "./delta-verdict.ts";
import type { MetricDelta } from "./metric-deltas.ts";

export type ProxyVerdict = TaskVerdict | "proxy_not_measured" | "proxy_is_target";

export interface ProxyDelta {
  proxy: Metric;
  proxyVerdict: ProxyVerdict;
  proxyDelta: number | null;
  proxyCi95: Interval | null;
  /** The training reward rose and the target did not, or rose by less: the reward was satisfied in another way. */
  overOptimized: boolean;
}

/** Did the training reward part from the target? Gao et al. 2022, arXiv:2210.10760. */
export function proxyDelta(
  proxy: Metric,
  delta: MetricDelta | undefined,
  headline: { metric: Metric; delta: MetricDelta },
): ProxyDelta {
  if (delta === undefined || delta.delta === null) {
    return { proxy, proxyVerdict: "proxy_not_measured", proxyDelta: null, proxyCi95: null, overOptimized: false };
  }
  const numbers = { proxy, proxyDelta: delta.delta, proxyCi95: delta.ci95 };
  if (proxy === headline.metric) return { ...numbers, proxyVerdict: "proxy_is_target", overOptimized: false };
  const [ours, theirs] = [gainInterval(delta), gainInterval(headline.delta)];
  const apart = ours !== null && theirs !== null && ours[0] > theirs[1];
  return {
    ...numbers,
    proxyVerdict: wordOfTasks(delta.gainVerdict),
    overOptimized: hasRisen(delta) && (!hasRisen(headline.delta) || apart),
  };
}

const hasRisen = ({ gainVerdict, withinNoise }: MetricDelta): boolean => gainVerdict === "b_better" && !withinNoise;

function gainInterval({ ci95, lowerIsBetter }: MetricDelta): Interval | null {
  return ci95 === null || !lowerIsBetter ? ci95 : [-ci95[1], -ci95[0]];
}

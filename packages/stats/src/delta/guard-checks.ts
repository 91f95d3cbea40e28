import { type Row, roundHalfEven } from "@while/schema";
import type { RunPair } from "../compare/run-pair.ts";
import { nonInferiority } from "../equivalence/non-inferiority.ts";
import type { Metric } from "../rows/metric.ts";
import { metricSummary } from "../summary/metric-summary.ts";
import type { DeltaSettings } from "./delta-options.ts";
import type { MetricDelta } from "./metric-deltas.ts";
import { metricNamed } from "./metric-named.ts";
import { pairedGains, visibleChange } from "./paired-gains.ts";

/** What a guard can and did show. */
export interface GuardCheck {
  /** On both sides, with an interval and tasks enough for a verdict. */
  measured: boolean;
  /** One value on all rows: it cannot fail, and a misspelt key looks the same. */
  degenerate: boolean;
  margin: number;
  /** One-sided 95% bound on the change, positive is better; null without paired differences. */
  lower95: number | null;
  /** A drop of `margin` is ruled out; null where equal differences prove nothing. */
  nonInferior: boolean | null;
  /**
   * The smallest drop these tasks would show; null where no spread is known. Strict: with a p-value that stands among all
   * guards, at alpha divided by their number.
   */
  visibleDrop: number | null;
}

export function guardChecks(
  pair: RunPair,
  metrics: ReadonlyMap<Metric, MetricDelta>,
  guards: ReadonlySet<Metric>,
  settings: DeltaSettings,
): Map<Metric, GuardCheck> {
  return new Map(
    Array.from(guards, (metric) => [
      metric,
      guardCheck(pair, metric, metrics.get(metric), { settings, nGuards: guards.size }),
    ]),
  );
}

function guardCheck(
  pair: RunPair,
  metric: Metric,
  delta: MetricDelta | undefined,
  { settings, nGuards }: { settings: DeltaSettings; nGuards: number },
): GuardCheck {
  const { inference, power, cluster } = settings;
  const alpha = inference === "strict" ? settings.alpha / nGuards : settings.alpha;
  const margin = marginOf(metric, settings);
  if (delta === undefined) {
    return { measured: false, degenerate: false, margin, lower95: null, nonInferior: null, visibleDrop: null };
  }
  const gains = delta.paired ? pairedGains(pair, metric, { lowerIsBetter: delta.lowerIsBetter, cluster }) : [];
  const proof = nonInferiority(gains, margin);
  return {
    measured: delta.gainVerdict !== "insufficient_data",
    degenerate: isDegenerate([pair.a.rows, pair.b.rows], metric, settings),
    margin,
    lower95: proof?.lower95 ?? null,
    nonInferior: proof?.nonInferior ?? null,
    visibleDrop: visibleChange(gains, { level: 1 - alpha, power }),
  };
}

function marginOf(metric: Metric, { margin, guardMargins }: DeltaSettings): number {
  const own = Object.entries(guardMargins).find(([name]) => metricNamed(name) === metric);
  return own === undefined ? margin : own[1];
}

/** Compat asks each side for itself, so that all 1 before and all 0 after, a total regression, is degenerate there. */
function isDegenerate(sides: readonly (readonly Row[])[], metric: Metric, { inference }: DeltaSettings): boolean {
  const [a, b] = sides.map((rows) => metricSummary(rows, metric, { inference, nBoot: 1 }));
  if (!a!.degenerate || !b!.degenerate) return false;
  return inference === "compat" || roundHalfEven(a!.range![0], 9) === roundHalfEven(b!.range![0], 9);
}

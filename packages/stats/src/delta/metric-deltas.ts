import type { Row } from "@while/schema";
import { comparePair, type RunComparison } from "../compare/compare-runs.ts";
import type { CompareVerdict } from "../compare/compare-verdict.ts";
import type { RunPair } from "../compare/run-pair.ts";
import { tostPaired } from "../equivalence/tost-paired.ts";
import type { Interval } from "../interval/interval.ts";
import { markerNames } from "../rows/marker-value.ts";
import type { Metric } from "../rows/metric.ts";
import { StatsError } from "../stats-error.ts";
import type { DeltaSettings } from "./delta-options.ts";
import { metricNamed } from "./metric-named.ts";
import type { MetricFloor, NoiseFloor, NoiseNote } from "./noise-floor.ts";
import { overRuns } from "./over-runs.ts";
import { pairedGains } from "./paired-gains.ts";

/** One metric before and after: `compareRuns` with a direction, and beside what re-runs move by. */
export interface MetricDelta extends RunComparison {
  lowerIsBetter: boolean;
  /** `verdict` with the sides exchanged where less is better: b_better is an improvement. */
  gainVerdict: CompareVerdict;
  runStd: number | null;
  /** What re-runs alone move by; in compat the hurdle, in strict a diagnostic. */
  noiseBand: number | null;
  /** Interval of `delta` over tasks and runs, which decides in strict; null without re-runs and in compat. */
  runsCi95: Interval | null;
  /** Its degrees of freedom, and the two parts of its variance. */
  runsDf: number | null;
  taskVariance: number | null;
  runVariance: number | null;
  /** Strict: `runsCi95` covers zero. Compat: |delta| is under the band. */
  withinNoise: boolean;
  noiseNote: NoiseNote | null;
  /** p-value among its kind: Holm over guards, Benjamini and Hochberg over the others; the target's own as it is. */
  pAdjusted: number | null;
  /**
   * Of a guard, the same by max-T, which does not pay twice for what guards share (Westfall and Young 1993). Null of other
   * metrics, of unpaired ones and in compat.
   */
  pMaxT: number | null;
  /** The change is proven to be under `margin` in both directions; null where equal differences prove nothing. */
  equivalent: boolean | null;
}

/** pass_at_1 first, then the markers in the order of their names. */
export function metricDeltas(pair: RunPair, floor: NoiseFloor, settings: DeltaSettings): Map<Metric, MetricDelta> {
  const [before, after] = [pair.a.rows, pair.b.rows];
  const { alpha, nBoot, seed, inference, margin, cluster } = settings;
  const metrics: Metric[] = ["pass_at_1", ...markersOf(before, after, settings)];
  const lower = lowerMetrics(settings, metrics);
  return new Map(
    [...new Set(metrics)].map((metric, i) => {
      const comparison = comparePair(pair, {
        metric,
        nBoot,
        seed: seed + i,
        level: 1 - alpha,
        inference,
        cluster,
      });
      const lowerIsBetter = lower.has(metric);
      const gains = pairedGains(pair, metric, { lowerIsBetter, cluster });
      const metricFloor = floor.of(metric);
      const runs = inference === "strict" ? overRuns([before, after], comparison, { floor: metricFloor, gains }) : null;
      const delta: MetricDelta = {
        ...comparison,
        lowerIsBetter,
        gainVerdict: gainVerdictOf(comparison.verdict, lowerIsBetter),
        runStd: metricFloor.runStd,
        noiseBand: metricFloor.band,
        runsCi95: runs?.ci95 ?? null,
        runsDf: runs?.df ?? null,
        taskVariance: runs?.taskVariance ?? null,
        runVariance: runs?.runVariance ?? null,
        withinNoise:
          inference === "strict"
            ? runs !== null && runs.ci95[0] <= 0 && runs.ci95[1] >= 0
            : isWithin(comparison.delta, metricFloor),
        noiseNote: metricFloor.note,
        ...{ pAdjusted: null, pMaxT: null },
        equivalent: comparison.paired ? (tostPaired(gains, margin)?.equivalent ?? null) : null,
      };
      return [metric, delta];
    }),
  );
}

function markersOf(before: readonly Row[], after: readonly Row[], { markers }: DeltaSettings): Metric[] {
  if (markers !== undefined) return markers.map(metricNamed).filter((metric) => metric !== "pass_at_1");
  const others = new Set(markerNames(after));
  return markerNames(before)
    .filter((name) => others.has(name))
    .map((name): Metric => `marker:${name}`);
}

function lowerMetrics({ lowerIsBetter }: DeltaSettings, measured: readonly Metric[]): Set<Metric> {
  const named = Array.isArray(lowerIsBetter) ? lowerIsBetter : Object.keys(lowerIsBetter);
  for (const name of named) {
    if (measured.includes(metricNamed(name))) continue;
    throw new StatsError(
      "bad_metric",
      `lowerIsBetter names ${name}, which is not measured on both sides.`,
      `Name some of ${measured.join(", ")}.`,
    );
  }
  const declared = lowerIsBetter as Readonly<Record<string, boolean>>;
  return new Set(named.filter((name) => Array.isArray(lowerIsBetter) || declared[name] === true).map(metricNamed));
}

export function gainVerdictOf(verdict: CompareVerdict, lowerIsBetter: boolean): CompareVerdict {
  if (!lowerIsBetter) return verdict;
  if (verdict === "a_better") return "b_better";
  return verdict === "b_better" ? "a_better" : verdict;
}

function isWithin(delta: number | null, { band }: MetricFloor): boolean {
  return delta !== null && band !== null && Math.abs(delta) < band;
}

import { benjaminiHochberg } from "../multiplicity/benjamini-hochberg.ts";
import { holmAdjust } from "../multiplicity/holm-adjust.ts";
import type { Metric } from "../rows/metric.ts";
import type { MetricDelta } from "./metric-deltas.ts";

/**
 * The metrics with their p-values adjusted: guards by Holm, since one false alarm fails a run; the others by Benjamini
 * and Hochberg; the target not at all, since it was named before the numbers were seen.
 */
export function withAdjustedP(
  metrics: ReadonlyMap<Metric, MetricDelta>,
  { target, guards }: { target: Metric | null; guards: ReadonlySet<Metric> },
): Map<Metric, MetricDelta> {
  const tested = [...metrics.keys()].filter((metric) => metric !== target && pOf(metrics.get(metric)!) !== null);
  const adjusted = new Map<Metric, number>();
  const adjust = (names: readonly Metric[], rule: (pValues: readonly number[]) => number[]) => {
    const pValues = rule(names.map((name) => pOf(metrics.get(name)!)!));
    for (const [i, name] of names.entries()) adjusted.set(name, pValues[i]!);
  };
  adjust(
    tested.filter((metric) => guards.has(metric)),
    holmAdjust,
  );
  adjust(
    tested.filter((metric) => !guards.has(metric)),
    benjaminiHochberg,
  );
  return new Map(
    Array.from(metrics, ([metric, delta]) => [
      metric,
      { ...delta, pAdjusted: metric === target ? pOf(delta) : (adjusted.get(metric) ?? null) },
    ]),
  );
}

const pOf = ({ midP, pValue }: MetricDelta): number | null => midP ?? pValue;

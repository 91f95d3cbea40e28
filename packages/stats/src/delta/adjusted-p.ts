import type { RunPair } from "../compare/run-pair.ts";
import { benjaminiHochberg } from "../multiplicity/benjamini-hochberg.ts";
import { holmAdjust } from "../multiplicity/holm-adjust.ts";
import type { Metric } from "../rows/metric.ts";
import type { DeltaSettings } from "./delta-options.ts";
import { maxTOf } from "./max-t-p.ts";
import type { MetricDelta } from "./metric-deltas.ts";

/**
 * The metrics with their p-values adjusted: guards by Holm, since one false alarm fails a run; the others by Benjamini
 * and Hochberg; the target not at all, since it was named before the numbers were seen. In strict, guards that were
 * compared pair by pair also have the p-value of max-T among them.
 */
export function withAdjustedP(
  metrics: ReadonlyMap<Metric, MetricDelta>,
  { pair, target, guards, settings }: Family,
): Map<Metric, MetricDelta> {
  const tested = [...metrics.keys()].filter((metric) => metric !== target && pOf(metrics.get(metric)!) !== null);
  const adjusted = new Map<Metric, number>();
  const adjust = (names: readonly Metric[], rule: (pValues: readonly number[]) => number[]) => {
    const pValues = rule(names.map((name) => pOf(metrics.get(name)!)!));
    for (const [i, name] of names.entries()) adjusted.set(name, pValues[i]!);
  };
  const kinds = [tested.filter((metric) => guards.has(metric)), tested.filter((metric) => !guards.has(metric))];
  adjust(kinds[0]!, holmAdjust);
  adjust(kinds[1]!, benjaminiHochberg);
  const paired = kinds[0]!.map((name) => [name, metrics.get(name)!] as const).filter(([, { midP }]) => midP !== null);
  const together = settings.inference === "compat" ? new Map<Metric, number>() : maxTOf(pair, paired, settings);
  return new Map(
    Array.from(metrics, ([metric, delta]) => [
      metric,
      {
        ...delta,
        pAdjusted: metric === target ? pOf(delta) : (adjusted.get(metric) ?? null),
        pMaxT: together.get(metric) ?? null,
      },
    ]),
  );
}

interface Family {
  pair: RunPair;
  target: Metric | null;
  guards: ReadonlySet<Metric>;
  settings: DeltaSettings;
}

const pOf = ({ midP, pValue }: MetricDelta): number | null => midP ?? pValue;

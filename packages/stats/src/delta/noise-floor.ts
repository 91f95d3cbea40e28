import { formatFixed, isObject, type Row } from "@while/schema";
import { CI_LEVEL, Z_95 } from "../constants.ts";
import type { Inference } from "../inference.ts";
import { normalQuantile } from "../kernel/normal.ts";
import { tQuantile } from "../kernel/student-t.ts";
import { type EvalVariance, evalVariance } from "../noise/eval-variance.ts";
import { noiseBand } from "../noise/noise-band.ts";
import type { Metric } from "../rows/metric.ts";
import { metricNamed } from "./metric-named.ts";
import type { TrainRuns } from "./train-spread.ts";

/** `no_replicate_floor`: others were re-run and this was not. `deterministic_rerun`: its re-runs gave one and the same mean. */
export type NoiseNote = "no_replicate_floor" | "deterministic_rerun";

export interface MetricFloor {
  /** Standard deviation from run to run; null without re-runs. */
  runStd: number | null;
  df: number | null;
  /** Runs behind each side. */
  nA: number;
  nB: number;
  band: number | null;
  /** The band as a formula; null without one. */
  rule: string | null;
  note: NoiseNote | null;
  /** Re-runs say how much the metric moves by itself. */
  replicated: boolean;
}

export interface NoiseFloor {
  source: "given" | "eval_run" | null;
  /** Distinct values of `lineage.eval_run`. */
  evalRuns: { before: number; after: number };
  of: (metric: Metric) => MetricFloor;
}

export interface NoiseFloorOptions {
  runStd: number | Readonly<Record<string, number | null>> | undefined;
  runStdRuns: number | undefined;
  /** Each training run was scored once at least. */
  trainRuns: Required<TrainRuns> | null;
  level: number;
  inference: Inference;
}

interface Spread {
  runStd: number | null;
  df: number | null;
  nA: number;
  nB: number;
}

/**
 * How much each metric moves when nothing changes but the run: as given, or pooled over the runs that both sides name.
 * Strict counts runs for each metric; compat takes the sides' and rounds each side's spread to four digits first.
 */
export function noiseFloor(before: readonly Row[], after: readonly Row[], options: NoiseFloorOptions): NoiseFloor {
  const { runStd, trainRuns, inference, level } = options;
  const evalRuns = {
    before: Math.max(runsIn(before), trainRuns?.before?.length ?? 0),
    after: Math.max(runsIn(after), trainRuns?.after?.length ?? 0),
  };
  const spreadOf = spreads([before, after], evalRuns, options);
  const isGiven = runStd !== undefined;
  const isMeasured = !isGiven && evalRuns.before >= 2 && evalRuns.after >= 2 && spreadOf.any;
  const source = isGiven ? "given" : isMeasured ? "eval_run" : null;
  return {
    source,
    evalRuns,
    of(metric) {
      const spread = spreadOf.of(metric);
      if (spread.runStd === null || source === null) {
        const note = source === null ? null : "no_replicate_floor";
        const { nA, nB } = spread;
        return { runStd: null, df: null, nA, nB, band: null, rule: null, note, replicated: false };
      }
      const { runStd: std, ...runs } = spread;
      const isConstant = std === 0 && inference === "strict";
      return {
        runStd: std,
        ...runs,
        band: noiseBand(std, { ...runs, level }),
        rule: ruleOf(runs, level),
        note: isConstant ? "deterministic_rerun" : null,
        replicated: !isConstant,
      };
    },
  };
}

function runsIn(rows: readonly Row[]): number {
  const runs = new Set<string>();
  for (const row of rows) {
    const run = isObject(row) && isObject(row.lineage) ? row.lineage.eval_run : null;
    if (run != null) runs.add(String(run));
  }
  return runs.size;
}

function spreads(
  arms: readonly [readonly Row[], readonly Row[]],
  evalRuns: NoiseFloor["evalRuns"],
  { runStd, runStdRuns, inference }: NoiseFloorOptions,
): { any: boolean; of: (metric: Metric) => Spread } {
  const [nA, nB] = [Math.max(1, evalRuns.before), Math.max(1, evalRuns.after)];
  if (runStd !== undefined) {
    const df = runStdRuns === undefined ? null : runStdRuns - 1;
    if (typeof runStd === "number") return { any: true, of: () => ({ runStd, df, nA, nB }) };
    const named = new Map(Object.entries(runStd).map(([name, std]) => [metricNamed(name), std]));
    return { any: true, of: (metric) => ({ runStd: named.get(metric) ?? null, df, nA, nB }) };
  }
  const none = { runStd: null, df: null, nA, nB };
  if (evalRuns.before < 2 || evalRuns.after < 2) return { any: false, of: () => none };
  const [one, other] = arms.map((rows) => evalVariance([rows], { by: "eval_run", inference })) as [
    EvalVariance,
    EvalVariance,
  ];
  const of = (metric: Metric): Spread => {
    const [sA, sB] = [one.runStdByMetric.get(metric) ?? null, other.runStdByMetric.get(metric) ?? null];
    if (sA === null || sB === null) return none;
    const [runsA, runsB] =
      inference === "strict" ? [one.nRunsByMetric.get(metric)!, other.nRunsByMetric.get(metric)!] : [nA, nB];
    const df = runsA - 1 + (runsB - 1);
    return { runStd: Math.sqrt((sA ** 2 * (runsA - 1) + sB ** 2 * (runsB - 1)) / df), df, nA: runsA, nB: runsB };
  };
  return { any: [...one.runStdByMetric.keys()].some((metric) => of(metric).runStd !== null), of };
}

function ruleOf({ df, nA, nB }: Omit<Spread, "runStd">, level: number): string {
  const quantile =
    df !== null
      ? `t(df=${df})=${formatFixed(tQuantile(df, level), 2)}`
      : formatFixed(level === CI_LEVEL ? Z_95 : normalQuantile((1 + level) / 2), 2);
  return `${quantile} x run_std x sqrt(1/${nA} + 1/${nB})`;
}

import { isObject, type Row } from "@while/schema";
import { runMeans } from "../compare/run-table.ts";
import type { Inference } from "../inference.ts";
import type { Interval } from "../interval/interval.ts";
import { meanOf, sampleOf } from "../interval/sample.ts";
import { sampleSd } from "../kernel/sample-sd.ts";
import { tQuantile } from "../kernel/student-t.ts";
import { mean } from "../kernel/sum.ts";
import { type GroupBy, groupOf } from "../rows/group-by.ts";
import type { Metric } from "../rows/metric.ts";
import { StatsError } from "../stats-error.ts";

/** Rows of each training run of an arm; null or left out for an arm that was not trained. */
export interface TrainRuns {
  before?: readonly (readonly Row[])[] | null;
  after?: readonly (readonly Row[])[] | null;
}

/** What training again with another seed would move. */
export interface TrainSpread {
  /** Training runs of each arm; null for one that was not trained. */
  trainRuns: { before: number | null; after: number | null };
  /** Standard deviation of the metric between them; null under two. */
  trainStd: { before: number | null; after: number | null };
  trainDf: number;
  /** Difference of the means over training runs. */
  trainDelta: number | null;
  /** With the spread of training in it; null where an arm was trained once, so that no spread is known. */
  trainCi95: Interval | null;
}

/** Training runs of both arms, as they were given or by the key that rows name theirs by. */
export function trainRunsOf(
  [before, after]: readonly [readonly Row[], readonly Row[]],
  runs: TrainRuns | GroupBy,
): Required<TrainRuns> {
  const isKey = typeof runs === "string" || typeof runs === "function";
  const arms = isKey
    ? { before: splitBy(before, runs), after: splitBy(after, runs) }
    : { before: runs.before ?? null, after: runs.after ?? null };
  if ((arms.before === null && arms.after === null) || arms.before?.length === 0 || arms.after?.length === 0) {
    throw new StatsError(
      "bad_option",
      typeof runs === "string" ? `No row has a ${runs}, which trainRuns names.` : "trainRuns has no run of an arm.",
      "Pass the rows of each training run of an arm that was trained, and null for one that was not.",
    );
  }
  return arms;
}

function splitBy(rows: readonly Row[], key: GroupBy): Row[][] | null {
  const runs = new Map<string, Row[]>();
  for (const row of rows) {
    const name = isObject(row) ? groupOf(row, key) : "";
    if (name === "") continue;
    const own = runs.get(name);
    if (own === undefined) runs.set(name, [row]);
    else own.push(row);
  }
  return runs.size === 0 ? null : [...runs.values()];
}

/**
 * The headline with the spread of training in its interval: sqrt(hw² + t² · sum(std²/n)), hw the half-width over tasks,
 * on sum(n - 1) degrees of freedom. A gain of one seed may be the seed's.
 */
export function trainSpread(
  [before, after]: readonly [readonly Row[], readonly Row[]],
  runs: Required<TrainRuns>,
  { metric, ci95, level, inference }: { metric: Metric; ci95: Interval | null; level: number; inference: Inference },
): TrainSpread {
  const score = (rows: readonly Row[]) => meanOf(sampleOf([...runMeans(rows, metric, inference).means.values()]));
  const arm = (rows: readonly Row[], sets: readonly (readonly Row[])[] | null) => {
    const scores = (sets ?? [rows]).map(score).filter((value) => value !== null);
    scores.sort((a, b) => a - b);
    return {
      n: sets === null ? null : scores.length,
      mean: mean(scores),
      std: sets === null ? null : sampleSd(scores),
    };
  };
  const [a, b] = [arm(before, runs.before), arm(after, runs.after)];
  const trainDelta = a.mean === null || b.mean === null ? null : b.mean - a.mean;
  const trained = [a, b].filter(({ n }) => n !== null);
  const trainDf = trained.reduce((total, { n }) => total + Math.max(0, n! - 1), 0);
  const report = {
    trainRuns: { before: a.n, after: b.n },
    trainStd: { before: a.std, after: b.std },
    ...{ trainDf, trainDelta },
  };
  if (trainDelta === null || ci95 === null || trained.some(({ std }) => std === null)) {
    return { ...report, trainCi95: null };
  }
  const variance = trained.reduce((total, { n, std }) => total + std! ** 2 / n!, 0);
  const half = Math.hypot((ci95[1] - ci95[0]) / 2, tQuantile(trainDf, level) * Math.sqrt(variance));
  return { ...report, trainCi95: [trainDelta - half, trainDelta + half] };
}

import { checkOptions, isObject, type Row, roundHalfEven } from "@while/schema";
import { MIN_RERUNS } from "../constants.ts";
import { countOf } from "../count-of.ts";
import { checkInference, type Inference } from "../inference.ts";
import { meanOf, sampleOf } from "../interval/sample.ts";
import { sampleSd } from "../kernel/sample-sd.ts";
import { mean } from "../kernel/sum.ts";
import { markerNames } from "../rows/marker-value.ts";
import { type Metric, metricReader } from "../rows/metric.ts";
import { taskMeans } from "../rows/task-means.ts";
import { StatsError } from "../stats-error.ts";
import type { Warning } from "../warning.ts";
import { noiseBand } from "./noise-band.ts";
import { noiseFloorPoints } from "./noise-floor-points.ts";
import { checkRuns, splitRuns } from "./split-runs.ts";
import { type Stability, stabilityBand } from "./stability-band.ts";

export interface EvalVarianceOptions {
  metric?: Metric;
  /** Key of the row, or of its lineage, that names the run; `lineage.eval_run`, else `lineage.scoring_run_id`. */
  by?: string | undefined;
  inference?: Inference;
}

export type EvalVarianceWarningCode =
  | "no_run_id"
  | "one_run"
  | "too_few_runs"
  | "different_tasks"
  | "deterministic_rerun"
  | "unmeasured_rows";

export interface EvalVariance {
  metric: Metric;
  inference: Inference;
  /** Runs with a mean. */
  nRuns: number;
  /** By label; null for a run without values. */
  means: Map<string, number | null>;
  /** Mean over runs; null without any. */
  mean: number | null;
  /** Standard deviation from run to run (n - 1); null under two runs. */
  runStd: number | null;
  /** The same for pass_at_1, the metric asked for, and each marker of two runs or more (compat: of every run). */
  runStdByMetric: Map<Metric, number | null>;
  /** Runs behind each of those. */
  nRunsByMetric: Map<Metric, number>;
  /** 100 · runStd. */
  runStdPoints: number | null;
  /** 1.96 · √2 · runStd, which takes the spread for exact: not the floor. */
  noiseBand: number | null;
  /** What two scorings can differ by in points, with t for the few runs: the floor to hold a gain against. */
  noiseFloorPoints: number | null;
  stability: Stability | null;
  /** Tasks that every run has a value for. */
  tasksInEveryRun: number;
  /** Rows with a readable value in a run, rows given, and rows that name no run, left out. */
  nRows: number;
  nRowsTotal: number;
  nWithoutRun: number;
  notes: string[];
  warnings: Warning<EvalVarianceWarningCode>[];
}

const OPTIONS = ["metric", "by", "inference"];

/**
 * How much the score of one agent moves when nothing changes but the run. Give a list of rows for each run, or one
 * list whose rows say their run. Each run's score is its mean over tasks.
 *
 * Compat rounds as the Python SDK does (four decimals, points two) and counts only markers that every run carries.
 *
 * @throws StatsError `no_rows`, `bad_rows`, `bad_metric`, `bad_option`
 */
export function evalVariance(runs: readonly (readonly Row[])[], options: EvalVarianceOptions = {}): EvalVariance {
  checkOptions(options, OPTIONS, (what, fix) => new StatsError("bad_option", what, fix));
  const { metric = "pass_at_1", by = null, inference = "strict" } = options;
  checkInference(inference);
  const { value } = metricReader(metric, inference);
  checkRuns(runs);
  const split = splitRuns(runs, by, inference);
  const lists = [...split.runs.values()];
  const round = (x: number | null, digits: number) =>
    x === null || inference === "strict" ? x : roundHalfEven(x, digits);

  const byTask = lists.map((rows) => taskMeans(rows, metric, { inference }));
  const means = byTask.map(meanOfTasks);
  const measured = means.filter((value) => value !== null);
  const runStd = sampleSd(measured);
  const tasks = tasksOf(byTask);
  const spreads = spreadsOf(lists, metric, inference);
  const nRows = lists.flat().filter((row) => isObject(row) && value(row) !== null).length;
  const nRowsTotal = runs.flat().filter(isObject).length;
  const { nWithoutRun } = split;
  const warnings = warningsOf({ metric, nRows, nRowsTotal, nWithoutRun, nRuns: measured.length, runStd, ...tasks });
  return {
    metric,
    inference,
    nRuns: measured.length,
    means: new Map([...split.runs.keys()].map((label, i) => [label, round(means[i]!, 4)])),
    mean: round(mean(measured), 4),
    runStd: round(runStd, 4),
    runStdByMetric: new Map(spreads.map(({ name, values }) => [name, round(sampleSd(values), 4)])),
    nRunsByMetric: new Map(spreads.map(({ name, values }) => [name, values.length])),
    runStdPoints: round(runStd === null ? null : 100 * runStd, 2),
    noiseBand: round(runStd === null ? null : noiseBand(runStd), 4),
    noiseFloorPoints: round(noiseFloorPoints(measured), 2),
    stability: runStd === null ? null : stabilityBand(runStd),
    tasksInEveryRun: tasks.inEvery,
    nRows,
    nRowsTotal,
    nWithoutRun,
    notes: warnings.map(({ text }) => text),
    warnings,
  };
}

function meanOfTasks(means: ReadonlyMap<string, number>): number | null {
  return meanOf(sampleOf([...means.values()]));
}

/** Tasks in every run that has values, and in some. */
function tasksOf(byTask: readonly ReadonlyMap<string, number>[]): { inEvery: number; inSome: number } {
  const runsOf = new Map<string, number>();
  const measured = byTask.filter(({ size }) => size > 0);
  for (const task of measured.flatMap((means) => [...means.keys()])) runsOf.set(task, (runsOf.get(task) ?? 0) + 1);
  const inEvery = [...runsOf.values()].filter((n) => n === measured.length).length;
  return { inEvery, inSome: runsOf.size };
}

function spreadsOf(
  lists: readonly (readonly Row[])[],
  metric: Metric,
  inference: Inference,
): { name: Metric; values: number[] }[] {
  const fewest = inference === "strict" ? 2 : lists.length;
  const carried = lists.map(markerNames);
  const markers = markerNames(lists.flat())
    .filter((name) => carried.filter((names) => names.includes(name)).length >= fewest)
    .map((name): Metric => `marker:${name}`);
  return [...new Set<Metric>(["pass_at_1", ...markers, metric])].map((name) => ({
    name,
    values: lists.map((rows) => meanOfTasks(taskMeans(rows, name, { inference }))).filter((value) => value !== null),
  }));
}

interface Findings {
  metric: Metric;
  nRows: number;
  nRowsTotal: number;
  nWithoutRun: number;
  nRuns: number;
  runStd: number | null;
  inEvery: number;
  inSome: number;
}

function warningsOf(findings: Findings): Warning<EvalVarianceWarningCode>[] {
  const { metric, nRows, nRowsTotal, nWithoutRun, nRuns, runStd, inEvery, inSome } = findings;
  const warnings: Warning<EvalVarianceWarningCode>[] = [];
  const nUnmeasured = nRowsTotal - nRows - nWithoutRun;
  if (nUnmeasured > 0) {
    warnings.push({
      code: "unmeasured_rows",
      text: `${nUnmeasured} of ${countOf(nRowsTotal, "row")} without ${metric}, left out`,
    });
  }
  if (nWithoutRun > 0) {
    warnings.push({
      code: "no_run_id",
      text: `${countOf(nWithoutRun, "row")} name no run (lineage.eval_run, lineage.scoring_run_id) and are left out`,
    });
  }
  if (nRuns === 1) {
    warnings.push({ code: "one_run", text: `one run: a spread needs more, ${MIN_RERUNS} at least` });
  } else if (nRuns === 2) {
    warnings.push({
      code: "too_few_runs",
      text: `two runs give a difference, not a spread: the floor's t is 12.7, with ${MIN_RERUNS} runs it is 4.3`,
    });
  }
  if (inEvery < inSome) {
    warnings.push({
      code: "different_tasks",
      text: `the runs do not cover the same tasks (${inEvery} of ${inSome} are in every run): their means also differ by that`,
    });
  }
  if (runStd === 0) {
    warnings.push({
      code: "deterministic_rerun",
      text: "every run has the same mean: deterministic sampling, or one run read twice; no evidence of a quiet eval",
    });
  }
  return warnings;
}

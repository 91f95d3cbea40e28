import type { RunConfig } from "../config/run-config.ts";
import type { Inference } from "../inference.ts";
import type { Interval } from "../interval/interval.ts";
import type { HeterogeneityQ } from "../meta-analysis/heterogeneity-q.ts";
import type { Metric } from "../rows/metric.ts";
import type { HoldoutSize } from "../sizing/holdout-size.ts";
import type { IncomparableCause } from "./comparability.ts";
import type { DebiasedDelta } from "./debiased-delta.ts";
import type { TargetVerdict } from "./delta-verdict.ts";
import type { DeltaWarning } from "./delta-warning.ts";
import type { GroupDelta } from "./group-deltas.ts";
import type { GuardCheck } from "./guard-checks.ts";
import type { DeltaFailure } from "./headline-word.ts";
import type { MetricDelta } from "./metric-deltas.ts";
import type { ProxyVerdict } from "./proxy-delta.ts";
import type { TaskChanges } from "./task-changes.ts";
import type { TrainSpread } from "./train-spread.ts";

/** What `deltaReport` found; `formatDeltaReport` is its text. */
export interface DeltaReport {
  /** PASS, NO DIFFERENCE, FAIL, NOT COMPARABLE (causes), INSUFFICIENT DATA, TARGET or GUARDS NOT MEASURED. */
  headline: string;
  /** The gate holds. It does not say that the change helped. */
  ok: boolean;
  inference: Inference;
  /** What keeps the gate from holding. */
  failures: DeltaFailure[];
  /** Why these are two evals and not two agents. */
  notComparable: IncomparableCause[];
  target: Metric | null;
  targetVerdict: TargetVerdict | null;
  /** The target's, or pass@1's without a target. */
  headlineVerdict: TargetVerdict;
  targetDelta: number | null;
  targetCi95: Interval | null;
  /** The change of pass@1 with each side corrected by its labels; null where a side has none. */
  debiased: DebiasedDelta | null;
  alpha: number;
  /** Confidence of every interval, 1 - alpha. */
  level: number;
  nMetrics: number;
  /** 1 - level^nMetrics: chance of some false alarm were the metrics independent. */
  familyError: number;
  /** Of the headline metric. */
  nPairedTasks: number;
  nUnpairedTasks: number;
  /** What tasks are clustered by, and clusters among those tasks; null when each task is a draw of its own. */
  cluster: string | null;
  nClusters: number | null;
  /** Shared tasks with fewer rollouts on the side of the smaller k than the larger k. */
  nShortTasks: number;
  /** Each task against itself, by the headline metric; null where it is unpaired. */
  taskChanges: TaskChanges | null;
  /** Better, and outside the noise band. */
  improved: Metric[];
  /** Guards that are worse. */
  regressions: Metric[];
  /** Other metrics that are worse; they never fail the gate. */
  slipped: Metric[];
  withinNoise: Metric[];
  lowerIsBetter: Metric[];
  runStd: number | null;
  runStdByMetric: Map<Metric, number | null>;
  runStdSource: "given" | "eval_run" | null;
  runStdRuns: number | null;
  runStdDf: number | null;
  noiseBand: number | null;
  /** The band as a formula. */
  noiseRule: string | null;
  evalRuns: { before: number; after: number };
  /** Re-runs say how much the headline metric moves by itself. */
  replicated: boolean;
  /** Spread between training runs; null without `trainRuns`. */
  training: TrainSpread | null;
  /** The tasks have no room to show a gain. */
  ceiling: boolean;
  detectableEffect: number | null;
  tasksNeeded: number | null;
  tasksNeededSource: HoldoutSize["sdSource"] | null;
  /** At the upper and the lower end of the gain's interval; null at an end that no number of tasks proves. */
  tasksNeededRange: [fewest: number | null, most: number | null] | null;
  /** The largest change that would not matter. */
  margin: number;
  guardMode: "drop" | "prove";
  guards: Map<Metric, GuardCheck>;
  degenerateGuards: Metric[];
  guardsNotMeasured: Metric[];
  proxy: Metric | null;
  proxyVerdict: ProxyVerdict | null;
  proxyDelta: number | null;
  proxyCi95: Interval | null;
  overOptimized: boolean;
  metrics: Map<Metric, MetricDelta>;
  config: { before: RunConfig; after: RunConfig };
  /** How far ungraded rows could move the delta; null where graded shares are not known. */
  gradedBound: number | null;
  /** Rows left out by `balanceRollouts`; null when it is off. */
  balanced: { rowsDropped: { before: number; after: number }; tasksTrimmed: number } | null;
  by: string | null;
  /** The headline metric inside each group; null without `by`. */
  groups: Map<string, GroupDelta> | null;
  /** Groups that are worse, whatever the headline says; they never fail the gate. */
  groupsDown: string[];
  /** Did the groups move differently? */
  heterogeneity: HeterogeneityQ | null;
  warnings: DeltaWarning[];
}

import { isObject, type Row, roundHalfEven } from "@while/schema";
import { ruleChange } from "../compare/rule-change.ts";
import { RunPair } from "../compare/run-pair.ts";
import { groupOf } from "../rows/group-by.ts";
import type { Metric } from "../rows/metric.ts";
import { withAdjustedP } from "./adjusted-p.ts";
import { answeredShares } from "./answered-shares.ts";
import { armConfig } from "./arm-config.ts";
import { balanceRollouts } from "./balance-rollouts.ts";
import { gradedBoundOf, incomparableCauses } from "./comparability.ts";
import { debiasedDelta } from "./debiased-delta.ts";
import { type DeltaOptions, deltaSettings } from "./delta-options.ts";
import { type DeltaVerdict, deltaVerdict, type TargetVerdict } from "./delta-verdict.ts";
import { deltaWarnings } from "./delta-warnings.ts";
import { groupDeltas } from "./group-deltas.ts";
import { type GuardCheck, guardChecks } from "./guard-checks.ts";
import { type DeltaFailure, headlineWord } from "./headline-word.ts";
import { type MetricDelta, metricDeltas } from "./metric-deltas.ts";
import { metricNamed } from "./metric-named.ts";
import { noiseFloor } from "./noise-floor.ts";
import { pairedGains } from "./paired-gains.ts";
import { proxyDelta } from "./proxy-delta.ts";
import type { DeltaReport } from "./report.ts";
import { ceilingWarnings, deltaSizing } from "./room-to-move.ts";
import { setupWarnings } from "./setup-warnings.ts";
import { nShortTasks } from "./short-tasks.ts";
import { taskChanges } from "./task-changes.ts";
import { type TrainSpread, trainRunsOf, trainSpread } from "./train-spread.ts";

/**
 * Did the change help, did it break what was guarded, and are these two runs comparable at all? pass@1 and every marker
 * both sides carry are compared task by task (`compareRuns`), held against what re-runs of one agent move by, and read
 * in the direction that is better.
 *
 * Strict, the default, also refuses to pass what was not measured: a guard or a target that is missing or has no
 * interval, and a drop of pass@1 where no target was named. Compat follows the Python SDK, its intervals and draws
 * included; the direction of a marker is never guessed from its name in either.
 *
 * @param before Rows of the agent as it was
 * @param after Rows of the changed agent, on the same tasks
 * @throws StatsError `bad_option`, `bad_probability`, `bad_count`, `bad_value`, `bad_seed`, `bad_metric`, and what
 *   `compareRuns` throws
 */
export function deltaReport(before: readonly Row[], after: readonly Row[], options: DeltaOptions = {}): DeltaReport {
  const settings = deltaSettings(options);
  const { inference, alpha } = settings;
  const balance = settings.balanceRollouts ? balanceRollouts(before, after, settings) : null;
  const [a, b] = [balance?.before ?? before, balance?.after ?? after];
  const level = 1 - alpha;
  const pair = new RunPair(a, b, inference);

  const target = settings.target === undefined ? null : metricNamed(settings.target);
  const guarded = new Set(settings.mustNotRegress.map(metricNamed));
  const trainRuns = settings.trainRuns === undefined ? null : trainRunsOf([a, b], settings.trainRuns);
  const { runStd, runStdRuns } = settings;
  const floor = noiseFloor(a, b, { runStd, runStdRuns, trainRuns, level, inference });
  const metrics = withAdjustedP(metricDeltas(pair, floor, settings), {
    ...{ pair, target, guards: guarded, settings },
  });
  const passAt1 = metrics.get("pass_at_1")!;
  const measuredTarget = target === null ? undefined : measured(metrics.get(target));
  const headline =
    target !== null && measuredTarget !== undefined
      ? { metric: target, delta: measuredTarget }
      : { metric: "pass_at_1" as Metric, delta: passAt1 };
  const headlineFloor = floor.of(headline.metric);
  const { replicated } = headlineFloor;
  const word = deltaVerdict(headline.delta.gainVerdict, { withinNoise: headline.delta.withinNoise, replicated });
  const training =
    trainRuns === null
      ? null
      : trainSpread([a, b], trainRuns, {
          metric: headline.metric,
          ci95: headline.delta.runsCi95 ?? headline.delta.ci95,
          ...{ level, inference },
        });
  const resolved = resolvedWord(word, training);
  const targetVerdict = target === null ? null : measuredTarget === undefined ? "target_not_measured" : resolved;
  const headlineVerdict = targetVerdict === "target_not_measured" && inference === "strict" ? targetVerdict : resolved;

  const is = (verdict: "a_better" | "b_better") =>
    [...metrics].filter(([, delta]) => !delta.withinNoise && delta.gainVerdict === verdict).map(([metric]) => metric);
  const regressions = is("a_better").filter((metric) => guarded.has(metric));
  const guards = guardChecks(pair, metrics, guarded, settings);
  const guardsThat = (holds: (check: GuardCheck) => boolean) =>
    [...guards].filter(([, check]) => holds(check)).map(([metric]) => metric);
  const guardsNotMeasured = guardsThat((check) => !check.measured);
  const debiased = debiasedDelta(pair, { level, inference, paired: passAt1.paired, cluster: settings.cluster });
  const proxy =
    settings.proxy === undefined
      ? null
      : proxyDelta(metricNamed(settings.proxy), metrics.get(metricNamed(settings.proxy)), headline);

  const config = { before: armConfig(a, inference), after: armConfig(b, inference) };
  const gradedBound = gradedBoundOf(config);
  const setup = {
    ...{ config, gradedBound, settings, headline: headline.delta },
    pairing: inference === "strict" ? headline.delta : passAt1,
    answered: answeredShares(a, b, { band: headline.delta.noiseBand, settings }),
  };
  const causes = incomparableCauses(setup);
  const failures = failuresOf({
    regression: regressions.length > 0,
    target_fell:
      (target === null ? inference === "strict" : measuredTarget !== undefined) && word === "moved_the_wrong_way",
    gold_fell: headline.metric === "pass_at_1" && debiased?.verdict === "a_better",
    over_optimized: proxy?.overOptimized ?? false,
    guard_not_proven:
      settings.guardMode === "prove" && guardsThat((check) => check.measured && check.nonInferior !== true).length > 0,
    guard_not_measured: inference === "strict" && guardsNotMeasured.length > 0,
    target_not_measured: inference === "strict" && targetVerdict === "target_not_measured",
    not_comparable: causes.some(({ fails }) => fails),
  });
  const ok = failures.length === 0;
  const notComparable = causes.map(({ cause }) => cause);
  const by = groupKey(settings.by, a, b);
  const grouped =
    by === undefined
      ? null
      : groupDeltas(a, b, headline.metric, {
          by,
          lowerIsBetter: headline.delta.lowerIsBetter,
          settings,
        });
  const ceilings = ceilingWarnings(pair, passAt1, settings);
  const report: DeltaReport = {
    headline: headlineWord({ ok, headlineVerdict, notComparable, failures, unreplicatedAs: settings.unreplicatedAs }),
    ok,
    inference,
    failures,
    notComparable,
    target,
    targetVerdict,
    headlineVerdict,
    targetDelta: measuredTarget?.delta ?? null,
    targetCi95: measuredTarget?.ci95 ?? null,
    debiased,
    alpha,
    level,
    nMetrics: metrics.size,
    familyError: roundHalfEven(1 - level ** metrics.size, 4),
    nPairedTasks: headline.delta.nPaired,
    nUnpairedTasks: headline.delta.nOnlyA + headline.delta.nOnlyB,
    cluster: headline.delta.cluster,
    nClusters: headline.delta.nClusters,
    nShortTasks: nShortTasks(a, b, { kBefore: config.before.k, kAfter: config.after.k, inference }),
    taskChanges: headline.delta.paired
      ? taskChanges(pairedGains(pair, headline.metric, { lowerIsBetter: headline.delta.lowerIsBetter }))
      : null,
    improved: is("b_better"),
    regressions,
    slipped: is("a_better").filter((metric) => !guarded.has(metric)),
    withinNoise: [...metrics].filter(([, delta]) => delta.withinNoise).map(([metric]) => metric),
    lowerIsBetter: [...metrics].filter(([, delta]) => delta.lowerIsBetter).map(([metric]) => metric),
    runStd: headlineFloor.runStd,
    runStdByMetric: new Map(Array.from(metrics, ([metric, { runStd }]) => [metric, runStd])),
    runStdSource: floor.source,
    runStdRuns: settings.runStdRuns ?? null,
    runStdDf: headlineFloor.df,
    noiseBand: headlineFloor.band,
    noiseRule: headlineFloor.rule,
    evalRuns: floor.evalRuns,
    replicated,
    training,
    ceiling: ceilings.length > 0,
    ...deltaSizing(pair, headline, { passAt1, k: config.before.k, settings }),
    margin: settings.margin,
    guardMode: settings.guardMode,
    guards,
    degenerateGuards: guardsThat((check) => check.degenerate),
    guardsNotMeasured,
    proxy: proxy?.proxy ?? null,
    proxyVerdict: proxy?.proxyVerdict ?? null,
    proxyDelta: proxy?.proxyDelta ?? null,
    proxyCi95: proxy?.proxyCi95 ?? null,
    overOptimized: proxy?.overOptimized ?? false,
    metrics,
    config,
    gradedBound,
    balanced: balance === null ? null : { rowsDropped: balance.rowsDropped, tasksTrimmed: balance.tasksTrimmed },
    by: by === undefined ? null : nameOf(by),
    groups: grouped?.groups ?? null,
    groupsDown: [...(grouped?.groups ?? [])]
      .filter(([, { gainVerdict }]) => gainVerdict === "a_better")
      .map(([name]) => name),
    heterogeneity: grouped?.heterogeneity ?? null,
    warnings: [],
  };
  const rules = ruleChange(pair, metrics.keys(), ["before", "after"]);
  const warnings = [
    ...causes.map(({ warning }) => warning),
    ...deltaWarnings(report, headline, settings),
    ...ceilings,
    ...setupWarnings(setup),
    ...(rules === null ? [] : [rules]),
  ];
  return { ...report, warnings };
}

/** A gain has to hold with the spread between training runs; the gate reads the word before. */
function resolvedWord(word: DeltaVerdict, training: TrainSpread | null): TargetVerdict {
  if (training === null || (word !== "moved" && word !== "moved_unreplicated")) return word;
  const { trainCi95 } = training;
  return trainCi95 !== null && (trainCi95[0] > 0 || trainCi95[1] < 0) ? word : "unresolved";
}

/** A metric without a value on one side was not measured, whoever names it. */
function measured(delta: MetricDelta | undefined): MetricDelta | undefined {
  return delta === undefined || delta.meanA === null || delta.meanB === null ? undefined : delta;
}

function failuresOf(failed: Readonly<Record<DeltaFailure, boolean>>): DeltaFailure[] {
  return (Object.keys(failed) as DeltaFailure[]).filter((failure) => failed[failure]);
}

/** The slices of the Python SDK: by `category`, else by `slice`, where both sides have one. */
const SLICES = ["category", "slice"];

function groupKey(by: DeltaOptions["by"], a: readonly Row[], b: readonly Row[]): DeltaOptions["by"] {
  if (by !== "auto") return by;
  return SLICES.find((key) => [a, b].every((rows) => rows.some((row) => isObject(row) && groupOf(row, key) !== "")));
}

function nameOf(by: NonNullable<DeltaOptions["by"]>): string {
  return typeof by === "string" ? by : by.name || "group";
}

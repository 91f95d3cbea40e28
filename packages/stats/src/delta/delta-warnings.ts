import { formatFixed, formatInterval, formatPercent, formatSigned } from "@while/schema";
import { MIN_RERUNS } from "../constants.ts";
import { countOf } from "../count-of.ts";
import type { Metric } from "../rows/metric.ts";
import { headlineMetric } from "./delta-lead.ts";
import type { DeltaSettings } from "./delta-options.ts";
import type { DeltaWarning, DeltaWarningCode } from "./delta-warning.ts";
import type { MetricDelta } from "./metric-deltas.ts";
import type { DeltaReport } from "./report.ts";
import { tasksNeededText } from "./tasks-needed.ts";

/** Metrics from which one of them moves by chance often enough to say so. */
const FAMILY_ERROR_MIN_METRICS = 4;

/** Markers whose name says that less is better. Nothing is assumed: it is asked. */
const SOUNDS_LOWER = ["boilerplate", "self_reference", "hedging", "refusal", "sycophancy", "truncated"];

/** What a reader of the numbers has to know, most important first. */
export function deltaWarnings(
  report: DeltaReport,
  headline: { metric: Metric; delta: MetricDelta },
  settings: DeltaSettings,
): DeltaWarning[] {
  return [
    ...targetWarnings(report),
    ...goldWarnings(report),
    ...guardWarnings(report, settings),
    ...proxyWarnings(report),
    ...slippedWarnings(report),
    ...noiseWarnings(report, settings),
    // Of the rules of all markers the report speaks once.
    ...(headline.delta.warnings as readonly DeltaWarning[]).filter(({ code }) => code !== "rules_differ"),
    ...sizingWarnings(report),
    ...groupWarnings(report),
    ...familyWarnings(report),
    ...directionWarnings(report, settings),
  ];
}

const warning = (code: DeltaWarningCode, text: string): DeltaWarning => ({ code, text });

function change(delta: Pick<MetricDelta, "delta" | "ci95">): string {
  return `${formatSigned(delta.delta, 3)} ${formatInterval(delta.ci95, 3, { signed: true, absent: "without an interval" })}`;
}

function targetWarnings({ target, targetVerdict, guards, metrics }: DeltaReport): DeltaWarning[] {
  const warnings: DeltaWarning[] = [];
  if (target !== null && targetVerdict === "target_not_measured") {
    const carried = [...metrics.keys()].join(", ");
    warnings.push(
      warning("target_not_measured", `the target ${target} is not measured on both sides; measured: ${carried}`),
    );
  }
  if (target !== null && guards.has(target)) {
    warnings.push(
      warning("target_is_guard", `${target} is the target and a guard: the target's own verdict already fails a drop`),
    );
  }
  return warnings;
}

/** Labels on both sides know what the judge's delta does not. */
function goldWarnings({ debiased, failures }: DeltaReport): DeltaWarning[] {
  if (debiased === null) return [];
  const { before, after, delta, ci95, judgedDelta, biasShift, biasShiftCi95 } = debiased;
  const labels = `${before.nGold} and ${countOf(after.nGold, "label")}`;
  const warnings: DeltaWarning[] = [];
  if (failures.includes("gold_fell")) {
    const text = `by gold pass_at_1 fell, ${change({ delta, ci95 })} by ${labels}; the judge has ${formatSigned(judgedDelta, 3)}`;
    warnings.push(warning("gold_fell", text));
  }
  if (biasShiftCi95 !== null && (biasShiftCi95[0] > 0 || biasShiftCi95[1] < 0)) {
    const how = biasShift > 0 ? "more lenient with after than with before" : "stricter with after than with before";
    const text =
      `the judge is ${formatFixed(Math.abs(biasShift), 3)} ${how} (${formatInterval(biasShiftCi95, 3, { signed: true })} by ${labels}): ` +
      `of its ${formatSigned(judgedDelta, 3)} that much may be its own; by gold the change is ${change({ delta, ci95 })}`;
    warnings.push(warning("judge_errs_by_side", text));
  }
  return warnings;
}

function guardWarnings(
  { guards, regressions, metrics, inference, alpha }: DeltaReport,
  { guardMode }: DeltaSettings,
): DeltaWarning[] {
  const warnings = regressions.map((metric) => {
    const delta = metrics.get(metric)!;
    // Of the two, max-T has more power where guards move together; Holm is there where it is not.
    const p = delta.pMaxT ?? delta.pAdjusted;
    const chance =
      p !== null && p > alpha && guards.size > 1
        ? `; among ${guards.size} guards its p is ${formatFixed(p, 3)}, so it may be a false alarm: re-run`
        : "";
    return warning("regression", `REGRESSION: ${metric} ${change(delta)}${chance}`);
  });
  for (const [metric, check] of guards) {
    const { measured, degenerate, nonInferior, margin, lower95, visibleDrop } = check;
    if (!measured) {
      const why = metrics.has(metric) ? "has too little data for a verdict" : "is not measured on both sides";
      const what = inference === "strict" ? "so nothing says that it held" : "and passes without having been checked";
      warnings.push(warning("guard_not_measured", `the guard ${metric} ${why}, ${what}`));
    } else if (degenerate) {
      const text = `the guard ${metric} is one value on all rows of a side: it cannot fail, and a misspelt key looks the same`;
      warnings.push(warning("guard_degenerate", text));
    } else if (
      nonInferior !== true &&
      !regressions.includes(metric) &&
      (guardMode === "prove" || inference === "strict")
    ) {
      const bound = lower95 === null ? "no bound is known" : `the bound is ${formatSigned(lower95, 3)}`;
      const among = guards.size > 1 ? ` of ${guards.size} guards` : "";
      const seen =
        visibleDrop === null
          ? ""
          : `; the smallest drop${among} these tasks would show is ${formatFixed(visibleDrop, 3)}`;
      warnings.push(
        warning(
          "guard_not_proven",
          `the guard ${metric} shows no drop, and a drop of ${margin} is not ruled out: ${bound}${seen}`,
        ),
      );
    }
  }
  return warnings;
}

function proxyWarnings(report: DeltaReport): DeltaWarning[] {
  const { proxy, proxyVerdict, overOptimized, metrics } = report;
  if (proxy === null) return [];
  if (proxyVerdict === "proxy_not_measured")
    return [warning("proxy_not_measured", `the proxy ${proxy} is not measured on both sides`)];
  if (proxyVerdict === "proxy_is_target") {
    return [warning("proxy_is_target", `the proxy ${proxy} is the headline metric, and cannot part from itself`)];
  }
  if (!overOptimized) return [];
  const headline =
    report.targetVerdict === null || report.targetVerdict === "target_not_measured" ? "pass_at_1" : report.target!;
  const text =
    `OVER-OPTIMIZED: the proxy ${proxy} moved ${change(metrics.get(proxy)!)} and ${headline} ${change(metrics.get(headline)!)}: ` +
    "the training reward was satisfied in a way that the target does not reward";
  return [warning("over_optimized", text)];
}

function slippedWarnings({ slipped, target, metrics, failures }: DeltaReport): DeltaWarning[] {
  return slipped
    .filter((metric) => metric !== target)
    .map((metric) => {
      const isRead = target === null && metric === "pass_at_1" && failures.includes("target_fell");
      const why = isRead ? "no target was named, so the gate reads it" : "no guard, so the gate does not read it";
      return warning("slipped", `${metric} slipped ${change(metrics.get(metric)!)} (${why})`);
    });
}

function noiseWarnings(report: DeltaReport, { runStd }: DeltaSettings): DeltaWarning[] {
  const { headlineVerdict, evalRuns, runStdSource, runStdRuns, noiseBand, noiseRule, metrics, training } = report;
  const warnings: DeltaWarning[] = [];
  if (headlineVerdict === "moved_unreplicated") {
    const single = (["before", "after"] as const).filter((side) => evalRuns[side] < 2);
    const who = single.length === 0 ? "no spread is known" : `${single.join(" and ")} ran once`;
    const text = `it moved on these tasks, and ${who}: score each side ${MIN_RERUNS} times (lineage.eval_run) to know what re-running moves by itself`;
    warnings.push(warning("unreplicated", text));
  }
  if (headlineVerdict === "unresolved") {
    const once = (["before", "after"] as const).filter((side) => training!.trainRuns[side] === 1);
    const text =
      once.length > 0
        ? `${once.join(" and ")} was trained once, so nobody knows what another seed gives: train it again, ${MIN_RERUNS} times at least`
        : "with the spread between training runs in it, the interval covers zero: the gain may be the seed's";
    warnings.push(warning("unresolved", text));
  }
  if (headlineVerdict === "within_eval_noise") {
    const { runsCi95 } = metrics.get(headlineMetric(report))!;
    const text =
      runsCi95 === null
        ? `the delta is inside what re-running moves by itself: ${noiseRule} = ${formatFixed(noiseBand, 4)}`
        : `with what re-running moves by itself the interval is ${formatInterval(runsCi95, 3, { signed: true })}, which covers zero; more runs of each side narrow it`;
    warnings.push(warning("within_eval_noise", text));
  }
  const isRough =
    runStdSource === "eval_run"
      ? Math.min(evalRuns.before, evalRuns.after) < MIN_RERUNS
      : runStdRuns !== null && runStdRuns < MIN_RERUNS;
  if (isRough)
    warnings.push(
      warning("rough_floor", `the noise floor rests on fewer than ${MIN_RERUNS} runs of a side, and is rough`),
    );
  if (runStd !== undefined && runStdRuns === null) {
    const text = "run_std is read as exact, with 1.96; pass the runs behind it (three would make it 4.30)";
    warnings.push(warning("exact_floor", text));
  }
  const noted = (note: MetricDelta["noiseNote"]) =>
    [...metrics].filter(([, { noiseNote }]) => noiseNote === note).map(([metric]) => metric);
  const without = noted("no_replicate_floor");
  if (without.length > 0) {
    warnings.push(
      warning("no_replicate_floor", `no re-run floor for ${without.join(", ")}: none is borrowed from another metric`),
    );
  }
  const constant = noted("deterministic_rerun");
  if (constant.length > 0) {
    const text = `every run gave the same ${constant.join(", ")}: deterministic sampling, or one run read twice; that replicates nothing`;
    warnings.push(warning("deterministic_rerun", text));
  }
  return warnings;
}

function sizingWarnings(report: DeltaReport): DeltaWarning[] {
  const { headlineVerdict, nPairedTasks, config, detectableEffect, balanced, nShortTasks } = report;
  const warnings: DeltaWarning[] = [];
  if (headlineVerdict === "no_change_detected" && detectableEffect !== null) {
    const needed = tasksNeededText(report);
    const text =
      `${countOf(nPairedTasks, "paired task")} at k=${config.before.k} can prove a gain of ${formatFixed(detectableEffect, 3)}` +
      (needed === null ? "" : `; the change seen would take ${needed}`);
    warnings.push(warning("underpowered", text));
  }
  const [kBefore, kAfter] = [config.before.k, config.after.k];
  if (kBefore !== kAfter) {
    const text =
      `k=${kBefore} before and k=${kAfter} after, ${countOf(nShortTasks, "paired task")} short of ${Math.max(kBefore, kAfter)}: ` +
      "precision, not bias, when rollouts were lost at random (the interval is some 10% wider at 2 for 4 on half the tasks); " +
      "what was lost for a reason biases, and only re-running the short side mends that. Balancing costs another 10%";
    warnings.push(warning("unequal_k", text));
  }
  if (balanced !== null && balanced.tasksTrimmed > 0) {
    const { rowsDropped, tasksTrimmed } = balanced;
    const text =
      `balancing left out ${rowsDropped.before} rows before and ${rowsDropped.after} after, on ${countOf(tasksTrimmed, "task")}; ` +
      "rows lost for a reason are still lost";
    warnings.push(warning("balanced", text));
  }
  return warnings;
}

function groupWarnings({
  groups,
  groupsDown,
  by,
  heterogeneity,
  improved,
  target,
  alpha,
}: DeltaReport): DeltaWarning[] {
  if (groups === null) return [];
  if (groups.size === 0) return [warning("no_groups", `no group of ${by} is on both sides`)];
  const rose = improved.includes(target ?? "pass_at_1");
  const warnings = groupsDown.map((name) => {
    const group = groups.get(name)!;
    const { rowsB, pAdjusted } = group;
    const p = pAdjusted === null ? "" : `, p ${formatFixed(pAdjusted, 3)} among ${countOf(groups.size, "group")}`;
    const hidden = rose ? "; the headline moved up and hides this group" : "";
    return warning(
      "group_down",
      `the group ${name} of ${by} fell ${change(group)} over ${countOf(rowsB, "row")} after${p}${hidden}`,
    );
  });
  if (heterogeneity !== null && heterogeneity.pValue <= alpha) {
    const { q, df, i2 } = heterogeneity;
    const text = `the groups of ${by} moved differently (Q ${formatFixed(q, 1)} on ${df}, I2 ${formatPercent(i2)}): the headline is no group's`;
    warnings.push(warning("groups_differ", text));
  }
  return warnings;
}

function familyWarnings({
  nMetrics,
  familyError,
  improved,
  slipped,
  regressions,
  target,
}: DeltaReport): DeltaWarning[] {
  const surprises = [...improved, ...slipped, ...regressions];
  if (nMetrics < FAMILY_ERROR_MIN_METRICS || surprises.length === 0) return [];
  const named = target === null ? "no target was named beforehand" : `the target ${target} was named beforehand`;
  const text = `one of ${nMetrics} metrics moves by chance in up to ${formatPercent(familyError)} of reports; ${named}, so take a single surprise as a lead`;
  return [warning("family_error", text)];
}

function directionWarnings({ metrics }: DeltaReport, { lowerIsBetter }: DeltaSettings): DeltaWarning[] {
  const declared = Array.isArray(lowerIsBetter) ? lowerIsBetter : Object.keys(lowerIsBetter);
  const undeclared = SOUNDS_LOWER.filter(
    (name) => metrics.has(`marker:${name}`) && !declared.includes(name) && !declared.includes(`marker:${name}`),
  );
  if (undeclared.length === 0) return [];
  const text = `${undeclared.join(", ")}: read as higher is better, as every metric that lowerIsBetter does not name`;
  return [warning("undeclared_direction", text)];
}

import { compareCodePoints, formatFixed, formatInterval, formatPercent, formatSigned } from "@while/schema";
import type { RunConfig } from "../config/run-config.ts";
import { countOf } from "../count-of.ts";
import type { Metric } from "../rows/metric.ts";
import type { GroupDelta } from "./group-deltas.ts";
import type { MetricDelta } from "./metric-deltas.ts";
import type { DeltaReport } from "./report.ts";

const NAME_WIDTH = 28;

/** The verdict alone on the first line; then what it rests on, a line a metric, the groups, and what has to be known. */
export function formatDeltaReport(report: DeltaReport): string {
  const lines = [
    report.headline,
    targetLine(report),
    goldLine(report),
    equivalenceLine(report),
    proxyLine(report),
    noiseLine(report),
    trainingLine(report),
    setupLine(report),
    familyLine(report),
    gradedLine(report),
    report.ceiling ? "CEILING: little room left to show a gain" : null,
    answeredLine(report),
    report.lowerIsBetter.length === 0 ? null : `lower is better: ${report.lowerIsBetter.join(", ")}`,
    ...Array.from(report.metrics, ([metric, delta]) => metricLine(metric, delta)),
    balancedLine(report),
    ...groupLines(report),
    ...report.warnings.map(({ text }) => `! ${text}`),
  ];
  return lines.filter((line) => line !== null).join("\n");
}

function targetLine({
  target,
  targetVerdict,
  targetDelta,
  targetCi95,
  level,
  nPairedTasks,
  cluster,
  nClusters,
}: DeltaReport): string | null {
  if (target === null) return null;
  const name = `target ${target}: ${targetVerdict}`;
  if (targetDelta === null) return name;
  return `${name} ${formatSigned(targetDelta, 3)} ${intervalText(targetCi95, level)} over ${countOf(nPairedTasks, "paired task")}${
    nClusters === null ? "" : ` in ${countOf(nClusters, "cluster")} by ${cluster}`
  }`;
}

function goldLine({ debiased, level }: DeltaReport): string | null {
  if (debiased === null) return null;
  const { before, after, delta, ci95 } = debiased;
  return (
    `by gold: pass_at_1 ${formatFixed(before.corrected, 3)} -> ${formatFixed(after.corrected, 3)}  ${formatSigned(delta, 3)} ` +
    `${intervalText(ci95, level)}, the judge corrected by ${before.nGold} and ${countOf(after.nGold, "label")}`
  );
}

/** "No change detected" is passed by any set too small to see one; this line says whether equality was shown. */
function equivalenceLine({ target, targetVerdict, headlineVerdict, metrics, margin }: DeltaReport): string | null {
  if (headlineVerdict !== "no_change_detected" && headlineVerdict !== "within_eval_noise") return null;
  const metric = target === null || targetVerdict === "target_not_measured" ? "pass_at_1" : target;
  const proven = metrics.get(metric)!.equivalent === true ? "proven" : "not proven";
  return `${proven} to have changed by less than ${margin}`;
}

function proxyLine({ proxy, proxyVerdict, proxyDelta, proxyCi95, level, overOptimized }: DeltaReport): string | null {
  if (proxy === null) return null;
  const numbers = proxyDelta === null ? "" : ` ${formatSigned(proxyDelta, 3)} ${intervalText(proxyCi95, level)}`;
  return `proxy ${proxy}: ${proxyVerdict}${numbers}${overOptimized ? " OVER-OPTIMIZED" : ""}`;
}

function intervalText(ci95: DeltaReport["targetCi95"], level: number): string {
  return ci95 === null ? "no interval" : `${formatPercent(level)} ${formatInterval(ci95, 3, { signed: true })}`;
}

function noiseLine({
  runStd,
  runStdSource,
  runStdRuns,
  noiseBand,
  noiseRule,
  evalRuns,
  metrics,
}: DeltaReport): string | null {
  if (runStdSource === null) return null;
  const from =
    runStdSource === "eval_run"
      ? `${evalRuns.before} runs before, ${evalRuns.after} after`
      : runStdRuns === null
        ? "given"
        : `given, from ${runStdRuns} runs`;
  if (runStd === null) return `eval noise: no floor for the headline metric (${from})`;
  const more = metrics.size > 1 && runStdSource === "eval_run" ? "; each metric has its own" : "";
  return `eval noise: run_std ${formatFixed(runStd, 4)}, band ${formatFixed(noiseBand, 4)} = ${noiseRule} (${from}${more})`;
}

function trainingLine({ training, level }: DeltaReport): string | null {
  if (training === null) return null;
  const { trainRuns, trainStd, trainDelta, trainCi95 } = training;
  const arm = (side: "before" | "after") =>
    trainRuns[side] === null
      ? `${side} not trained`
      : `${countOf(trainRuns[side], "run")} ${side} (std ${formatFixed(trainStd[side], 4, { absent: "unknown" })})`;
  return `training: ${arm("before")}, ${arm("after")}; ${formatSigned(trainDelta, 3)} ${intervalText(trainCi95, level)}`;
}

/** Settings that are worth a word when they differ, as they are spelled in files. */
export const SETTINGS: readonly (readonly [name: string, key: keyof RunConfig])[] = [
  ["policy_version", "policyVersion"],
  ["judge_version", "judgeVersion"],
  ["prompt_hash", "promptHash"],
  ["temperature", "temperature"],
  ["max_tokens", "maxTokens"],
  ["user_model", "userModel"],
  ["writer_model", "writerModel"],
  ["k", "k"],
];

function setupLine({ config: { before, after } }: DeltaReport): string | null {
  const changed = SETTINGS.filter(([, key]) => before[key] !== after[key]);
  if (changed.length === 0) return null;
  return changed.map(([name, key]) => `${name} ${before[key] ?? "unknown"} -> ${after[key] ?? "unknown"}`).join(", ");
}

function familyLine({ nMetrics, familyError }: DeltaReport): string | null {
  if (nMetrics < 2) return null;
  return `${nMetrics} metrics: up to ${formatPercent(familyError)} chance of some false alarm`;
}

function gradedLine({ gradedBound, config }: DeltaReport): string | null {
  if (gradedBound === null || gradedBound <= 0) return null;
  const [a, b] = [config.before.gradedShare, config.after.gradedShare];
  return `graded ${formatPercent(a)} -> ${formatPercent(b)}: ungraded rows could move the delta by ${formatFixed(gradedBound, 3)}`;
}

function answeredLine({ config }: DeltaReport): string | null {
  const [a, b] = [config.before.answeredShare, config.after.answeredShare];
  return a === null || b === null ? null : `answered ${formatPercent(a)} -> ${formatPercent(b)}`;
}

function metricLine(metric: Metric, delta: MetricDelta): string {
  const name = `  ${metric.padEnd(NAME_WIDTH)}`;
  if (delta.delta === null) return `${name} insufficient data`;
  const { meanA, meanB, ci95, nUsed, paired, withinNoise, noiseNote, runsCi95 } = delta;
  const noise =
    runsCi95 !== null
      ? ` with runs ${formatInterval(runsCi95, 3, { signed: true })}`
      : withinNoise
        ? " noise<band"
        : noiseNote === null
          ? ""
          : ` ${noiseNote}`;
  return (
    `${name} ${formatFixed(meanA, 3)} -> ${formatFixed(meanB, 3)}  ${formatSigned(delta.delta, 3)} ` +
    `${formatInterval(ci95, 3, { signed: true, absent: "n/a" })}  ${tagOf(delta)} (${nUsed} ${paired ? "paired" : "unpaired"})${noise}`
  );
}

/** Capital letters are the alarm: DOWN, or UP where less is better. */
function tagOf({ verdict, withinNoise, lowerIsBetter }: MetricDelta): string {
  if (withinNoise) return "noise";
  if (verdict === "b_better") return lowerIsBetter ? "UP" : "up";
  if (verdict === "a_better") return lowerIsBetter ? "down" : "DOWN";
  return verdict === "insufficient_data" ? "n/a" : "flat";
}

function balancedLine({ balanced }: DeltaReport): string | null {
  if (balanced === null) return null;
  const { rowsDropped, tasksTrimmed } = balanced;
  return `balanced: ${rowsDropped.before} rows left out before, ${rowsDropped.after} after, on ${countOf(tasksTrimmed, "task")}`;
}

/** Compat in the order of names; strict the weakest first, where one looks first. */
function groupLines({ groups, by, inference }: DeltaReport): string[] {
  if (groups === null || groups.size === 0) return [];
  const entries = [...groups];
  if (inference === "strict")
    entries.sort(([a, one], [b, other]) => gainOf(one) - gainOf(other) || compareCodePoints(a, b));
  return [`by ${by}:`, ...entries.map(([name, group]) => groupLine(name, group))];
}

/** Groups without a delta come last. */
const gainOf = ({ delta, verdict, gainVerdict }: GroupDelta): number =>
  delta === null ? Number.MAX_VALUE : verdict === gainVerdict ? delta : -delta;

function groupLine(name: string, { delta, ci95, meanA, meanB, nUsed, paired, gainVerdict }: GroupDelta): string {
  const label = `  ${name.padEnd(NAME_WIDTH)}`;
  if (delta === null) return `${label} insufficient data`;
  const word = { b_better: "better", a_better: "WORSE", no_difference_detected: "flat", insufficient_data: "n/a" }[
    gainVerdict
  ];
  return (
    `${label} ${formatFixed(meanA, 3)} -> ${formatFixed(meanB, 3)}  ${formatSigned(delta, 3)} ` +
    `${formatInterval(ci95, 3, { signed: true, absent: "n/a" })}  ${word} (${nUsed} ${paired ? "paired" : "unpaired"})`
  );
}

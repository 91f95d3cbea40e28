import { formatSigned } from "@while/schema";
import { countOf } from "../count-of.ts";
import { typographic } from "../page/html.ts";
import type { Metric } from "../rows/metric.ts";
import type { DeltaReport } from "./report.ts";

/** The metric the verdict is about: the target where it is measured, else pass@1. */
export function headlineMetric({ target, targetDelta }: Pick<DeltaReport, "target" | "targetDelta">): Metric {
  return target !== null && targetDelta !== null ? target : "pass_at_1";
}

/** A marker by its own name, as its author wrote it; the prefix stays on one that is called like a metric. */
export function nameOnPage(metric: Metric): string {
  const name = metric.startsWith("marker:") ? metric.slice("marker:".length) : metric;
  return name === "" || (name === "pass_at_1" && name !== metric) ? metric : name;
}

/** The verdict in a sentence or three: what moved, whether it may be compared, and what else fell. */
export function deltaLead(report: DeltaReport): string {
  const others = report.notComparable.length > 0 ? [] : [guardSentence(report), slippedSentence(report)];
  return [headlineSentence(report), ...others].filter((part) => part !== "").join(" ");
}

function headlineSentence(report: DeltaReport): string {
  const { headlineVerdict, notComparable, target, metrics, overOptimized, proxy, margin, failures, debiased } = report;
  const { delta, nUsed, paired, equivalent, runsCi95 } = metrics.get(headlineMetric(report))!;
  const metric = nameOnPage(headlineMetric(report));
  const change = `${typographic(formatSigned(delta, 3))} on ${countOf(nUsed, paired ? "paired task" : "task")}`;
  if (notComparable.length > 0) {
    return `Two evals are compared here and not two agents (${notComparable.join(", ")}), so the delta says nothing about the change.`;
  }
  if (failures.includes("gold_fell") && headlineVerdict !== "moved_the_wrong_way") {
    const { before, after, delta: byGold } = debiased!;
    return `By the labels ${metric} fell, by ${typographic(formatSigned(byGold, 3))} (${before.nGold} before, ${after.nGold} after); the judge does not see it.`;
  }
  if (overOptimized) {
    return `${nameOnPage(proxy!)} rose and ${metric} did not keep up: the training reward was satisfied another way.`;
  }
  switch (headlineVerdict) {
    case "moved":
      return runsCi95 === null
        ? `${metric} moved by ${change}, beyond what a re-run moves by itself.`
        : `${metric} moved by ${change}, also with what re-runs differ by in its interval.`;
    case "moved_unreplicated":
      return `${metric} moved by ${change}. No re-run says how much it moves by itself.`;
    case "unresolved":
      return `${metric} moved by ${change}. Training again may not give it: the spread between training runs is as wide, or not known.`;
    case "moved_the_wrong_way":
      return `${metric} moved the wrong way, by ${change}.`;
    case "within_eval_noise":
      return `${metric} moved by ${change}, which re-runs of one agent may differ by as well.`;
    case "no_change_detected":
      return `${metric} moved by ${change}, which is ${equivalent ? `proven to be less than ${margin}` : "not told from no change"}.`;
    case "insufficient_data":
      return delta === null
        ? `${metric} is not measured on both sides.`
        : `${metric} moved by ${change}, too few for a verdict.`;
    case "target_not_measured":
      return `The target ${nameOnPage(target!)} is not measured on both sides.`;
  }
}

function guardSentence({ guards, regressions, guardsNotMeasured, failures }: DeltaReport): string {
  if (regressions.length > 0)
    return `${listOf(regressions)} fell, and ${regressions.length === 1 ? "is" : "are"} guarded.`;
  if (guardsNotMeasured.length > 0)
    return `${listOf(guardsNotMeasured)} should be guarded and ${guardsNotMeasured.length === 1 ? "is" : "are"} not measured.`;
  if (failures.includes("guard_not_proven")) return "A guard did not prove that it held.";
  return guards.size === 0 ? "" : guards.size === 1 ? "Its guard did not fall." : "No guard fell.";
}

function slippedSentence({ slipped, target }: DeltaReport): string {
  const others = slipped.filter((metric) => metric !== (target ?? "pass_at_1"));
  if (others.length === 0) return "";
  return others.length === 1
    ? `${nameOnPage(others[0]!)} slipped, and nobody guards it.`
    : `${others.length} metrics that nobody guards slipped.`;
}

/** Two names, and how many more: a lead is read at a glance, the table below names all. */
function listOf(metrics: readonly Metric[]): string {
  const names = metrics.map(nameOnPage);
  if (names.length <= 2) return names.join(" and ");
  return `${names.slice(0, 2).join(", ")} and ${metrics.length - 2} more`;
}

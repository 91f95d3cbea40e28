import { formatFixed } from "@while/schema";
import { MIN_CI_TASKS, UNPAIRED_MAJORITY_SHARE } from "../constants.ts";
import { countOf } from "../count-of.ts";
import type { Inference } from "../inference.ts";
import type { Interval } from "../interval/interval.ts";
import { noIntervalNote } from "../interval/no-interval-note.ts";
import type { Metric } from "../rows/metric.ts";
import type { Warning } from "../warning.ts";
import type { CompareVerdict } from "./compare-verdict.ts";
import { ruleChange } from "./rule-change.ts";
import type { RunPair } from "./run-pair.ts";
import type { RunMeans } from "./run-table.ts";
import type { TaskClusters } from "./task-clusters.ts";

export type CompareWarningCode =
  | "unpaired"
  | "unshared_tasks"
  | "too_few_tasks"
  | "no_interval"
  | "p_value_disagrees"
  | "few_clusters"
  | "mixed_clusters"
  | "no_clusters"
  | "unclustered"
  | "same_rows"
  | "rules_differ"
  | "no_task_key"
  | "repeated_rollouts"
  | "unmeasured_rows"
  | "non_finite";

export type CompareWarning = Warning<CompareWarningCode>;

interface Findings {
  pair: RunPair;
  sideA: RunMeans;
  sideB: RunMeans;
  metric: Metric;
  inference: Inference;
  alpha: number;
  minPaired: number;
  minTasks: number;
  clusters: TaskClusters | null;
  nClusters: number | null;
  paired: boolean;
  nPaired: number;
  nEither: number;
  nUsed: number;
  verdict: CompareVerdict;
  delta: number | null;
  ci95: Interval | null;
  /** The p-value that decides. */
  p: number | null;
}

/** `notes` are about the comparison, `others` about the rows. */
export function compareWarnings(findings: Findings): { notes: CompareWarning[]; others: CompareWarning[] } {
  const { pair, sideA, sideB, metric } = findings;
  const notes = [
    findings.paired ? unshared(findings) : unpaired(findings),
    tooFew(findings),
    fewClusters(findings),
    disagreement(findings),
  ];
  const others = [
    sameRows(pair),
    ruleChange(pair, [metric], ["in a", "in b"]),
    mixedClusters(findings),
    unclustered(findings),
    ...([sideA, sideB] as const).flatMap((side, i) => ofOneRun(side, "ab"[i]!, metric)),
  ];
  return { notes: notes.filter((note) => note !== null), others: others.filter((other) => other !== null) };
}

function unpaired({ nPaired, nEither, minPaired }: Findings): CompareWarning | null {
  if (nEither === 0) return null;
  return {
    code: "unpaired",
    text:
      `${countOf(nPaired, "shared task")}, fewer than ${minPaired}: unpaired means are compared, each run over its own ` +
      "tasks, a weaker test",
  };
}

function unshared({ sideA, sideB, nPaired, nEither }: Findings): CompareWarning | null {
  if (nEither === nPaired) return null;
  const most = nPaired / nEither < UNPAIRED_MAJORITY_SHARE ? "most tasks are unpaired: " : "";
  return {
    code: "unshared_tasks",
    text:
      `${most}${sideA.means.size - nPaired} only in a and ${sideB.means.size - nPaired} only in b are left out, and the ` +
      `conclusion covers the ${nPaired} shared tasks alone`,
  };
}

function tooFew(findings: Findings): CompareWarning | null {
  const { inference, nUsed, nClusters, nEither, minTasks, alpha, ci95, metric } = findings;
  if (inference === "compat" || nEither === 0) return null;
  const nDraws = nClusters ?? nUsed;
  if (nDraws < minTasks) {
    const draws = nClusters === null ? "task" : "cluster";
    return {
      code: "too_few_tasks",
      text: `on ${countOf(nDraws, draws)} no result can reach alpha ${shown(alpha)}, it takes ${minTasks}; add ${draws}s, not rollouts`,
    };
  }
  if (ci95 !== null) return null;
  const reason =
    nDraws < MIN_CI_TASKS
      ? noIntervalNote(nDraws, metric)
      : `no interval for ${metric}: its differences are all the same and it is no share, so no bound on them is known`;
  return { code: "no_interval", text: reason };
}

/** Clusters from which the spread between them is known well enough (Miller 2024). */
const ENOUGH_CLUSTERS = 10;

function fewClusters({ clusters, nClusters, nUsed, minTasks, nEither }: Findings): CompareWarning | null {
  if (clusters === null || nClusters === null || nEither === 0) return null;
  if (nClusters === nUsed) {
    return { code: "no_clusters", text: `no two tasks share a ${clusters.name}: clusters change nothing` };
  }
  if (nClusters < minTasks || nClusters >= ENOUGH_CLUSTERS) return null;
  return {
    code: "few_clusters",
    text: `${countOf(nClusters, "cluster")} by ${clusters.name}, fewer than ${ENOUGH_CLUSTERS}: how much they differ is itself hardly known`,
  };
}

function mixedClusters({ clusters }: Findings): CompareWarning | null {
  if (clusters === null || clusters.nMixed === 0) return null;
  return {
    code: "mixed_clusters",
    text: `${countOf(clusters.nMixed, "task")} with several values of ${clusters.name}: the first in order counts`,
  };
}

/** Keys by which rows say that tasks were made from one thing, and the tasks of one value from which it matters. */
const FAMILY_KEYS = ["persona", "document_id", "template_id", "seed_ask", "scenario_family", "ask_family"];
const FAMILY_TASKS = 5;

/** Five tasks of one persona are hardly five draws; nobody said so, so it is asked. */
function unclustered({ clusters, paired, inference, pair, metric }: Findings): CompareWarning | null {
  if (clusters !== null || !paired || inference === "compat") return null;
  for (const key of FAMILY_KEYS.filter((one) => pair.hasKey(one))) {
    const shared = pair.shared(metric);
    const { of } = pair.clustersBy(key);
    const sizes = new Map<string, number>();
    for (const family of shared.map(of)) sizes.set(family, (sizes.get(family) ?? 0) + 1);
    const largest = Math.max(...sizes.values());
    if (largest < FAMILY_TASKS) continue;
    const text = `up to ${largest} of ${countOf(shared.length, "task")} share a ${key} and are counted as independent draws; cluster: "${key}" counts each ${key} as one`;
    return { code: "unclustered", text };
  }
  return null;
}

/** The interval and the p-value ask the same question of different resamples; near the threshold they can part. */
function disagreement({ inference, verdict, ci95, p, alpha }: Findings): CompareWarning | null {
  if (inference === "compat" || verdict !== "no_difference_detected" || ci95 === null || p === null) return null;
  const excludesZero = ci95[0] > 0 || ci95[1] < 0;
  if (excludesZero === p <= alpha) return null;
  return {
    code: "p_value_disagrees",
    text: excludesZero
      ? `the interval excludes zero and the p-value, ${formatFixed(p, 3)}, misses alpha ${shown(alpha)}: the two disagree, and the p-value withheld the verdict`
      : `the p-value, ${formatFixed(p, 3)}, meets alpha ${shown(alpha)} and the interval covers zero: the two disagree, and the interval withheld the verdict`,
  };
}

/** 1 - 0.95 is 0.050000000000000044. */
const shown = (alpha: number): string => String(Number(alpha.toPrecision(6)));

function sameRows(pair: RunPair): CompareWarning | null {
  return pair.isSame()
    ? { code: "same_rows", text: "both runs are the same rows: a run was compared with itself" }
    : null;
}

function ofOneRun(side: RunMeans, run: string, metric: string): CompareWarning[] {
  const { nRowsTotal, nUnmeasured, nWithoutKey, nRepeated, nNonFinite } = side;
  const warnings: CompareWarning[] = [];
  if (nUnmeasured > 0) {
    const why = metric === "pass_at_1" ? " (no reward of 0 or 1)" : "";
    warnings.push({
      code: "unmeasured_rows",
      text: `${nUnmeasured} of ${countOf(nRowsTotal, "row")} of ${run} without ${metric}${why}, left out`,
    });
  }
  if (nWithoutKey > 0) {
    warnings.push({
      code: "no_task_key",
      text: `${countOf(nWithoutKey, "row")} of ${run} without scenario_id, task_id or prompt: in no pair; set task_id`,
    });
  }
  if (nRepeated > 0) {
    warnings.push({
      code: "repeated_rollouts",
      text: `${countOf(nRepeated, "row")} of ${run} repeat the rollout_id of another row of the task: was a file read twice?`,
    });
  }
  if (nNonFinite > 0) {
    warnings.push({
      code: "non_finite",
      text: `${metric} is NaN, infinite or beyond 1e70 on ${countOf(nNonFinite, "row")} of ${run}, left out`,
    });
  }
  return warnings;
}

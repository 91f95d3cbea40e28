import { codePointLength, groupByTask, type Row, textOf } from "@while/schema";
import { type CoverageWarningCode, coverageWarnings, type Warning } from "@while/stats";
import { MAX_UNJUDGED_SHARE } from "../agreement/thresholds.ts";
import { counted } from "../counted.ts";
import type { JudgeFailure } from "./judge-failure.ts";
import type { ScoredReport, ScoringWarningCode, UnjudgedCount } from "./scored-rows.ts";

/** As a census lists rewards. */
const SHOWN_REWARDS = 50;

interface Ended {
  failure: JudgeFailure | null;
  error: string;
}

type Summary = Omit<
  ScoredReport,
  | "runId"
  | "source"
  | "judgeName"
  | "judgeVersion"
  | "model"
  | "nCalls"
  | "nRetries"
  | "nReused"
  | "nNotRows"
  | "evalCoverage"
>;

/** What scored rows come to: how many have a verdict and which, why the others have none, and what the rows never touched. */
export function scoringSummary(
  rows: readonly Row[],
  ends: readonly Ended[],
  { tools, stopped }: { tools: readonly unknown[] | undefined; stopped: ScoredReport["stopped"] },
): Summary {
  const counts = new Map<number, number>();
  let sum = 0;
  const lengths: { judged: number[]; unjudged: number[] } = { judged: [], unjudged: [] };
  for (const row of rows) {
    const { reward } = row;
    const length = codePointLength(textOf(row.final_text));
    if (typeof reward !== "number") {
      lengths.unjudged.push(length);
      continue;
    }
    lengths.judged.push(length);
    counts.set(reward, (counts.get(reward) ?? 0) + 1);
    sum += reward;
  }
  const nGraded = lengths.judged.length;
  const distribution = [...counts].map(([value, n]) => ({ value, n })).sort((a, b) => a.value - b.value);
  const part = {
    nRows: rows.length,
    nGraded,
    nUnjudged: lengths.unjudged.length,
    unjudgedBy: unjudgedBy(ends),
    nTasksUnjudged: [...groupByTask(rows).groups.values()].filter((group) =>
      group.every(({ reward }) => typeof reward !== "number"),
    ).length,
    medianCharsJudged: median(lengths.judged),
    medianCharsUnjudged: median(lengths.unjudged),
    meanReward: nGraded === 0 ? null : sum / nGraded,
    rewardDistribution: distribution.length > SHOWN_REWARDS ? [] : distribution,
    nRewardValues: distribution.length,
    unanimous: nGraded >= 2 && distribution.length === 1 ? distribution[0]!.value : null,
    stopped,
  };
  const touched = coverageWarnings(rows, tools === undefined ? {} : { tools });
  // One verdict for all is said by `unanimous`: whoever reads warnings as signs of a hollow run would misread it.
  const notes = touched.filter(
    (warning): warning is Warning<Exclude<CoverageWarningCode, "one_reward">> => warning.code !== "one_reward",
  );
  return { ...part, warnings: [...missingWarnings(part), ...notes] };
}

function unjudgedBy(ends: readonly Ended[]): UnjudgedCount[] {
  const counts = new Map<JudgeFailure, UnjudgedCount>();
  for (const { failure, error } of ends) {
    if (failure === null) continue;
    const known = counts.get(failure);
    if (known === undefined) counts.set(failure, { failure, n: 1, example: error });
    else known.n++;
  }
  return [...counts.values()].sort((a, b) => b.n - a.n);
}

function missingWarnings({
  nRows,
  nUnjudged,
  nTasksUnjudged,
  medianCharsJudged,
  medianCharsUnjudged,
  stopped,
}: Omit<Summary, "warnings">): Warning<ScoringWarningCode>[] {
  const warnings: Warning<ScoringWarningCode>[] = [];
  if (stopped !== null) {
    const { nNotCalled, error } = stopped;
    warnings.push({ code: "stopped", text: `${counted(nNotCalled, "row")} not called: ${error}` });
  }
  if (nUnjudged > MAX_UNJUDGED_SHARE * nRows) {
    const lengths =
      medianCharsJudged === null
        ? ""
        : `; their replies have ${medianCharsUnjudged} characters in the median, the others ${medianCharsJudged}`;
    const tasks = nTasksUnjudged === 0 ? "" : `; ${counted(nTasksUnjudged, "task")} without any verdict`;
    warnings.push({
      code: "unjudged_share",
      text: `${nUnjudged} of ${counted(nRows, "row")} without a verdict${lengths}${tasks}: a rate over the rest is none of the run; grade them again first`,
    });
  }
  return warnings;
}

/** The upper one of two in the middle, so that it is a length that occurs. */
function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

import { isObject, type Row, taskKey } from "@while/schema";
import { compareRuns } from "../compare/compare-runs.ts";
import { type AnswerCounts, answerCounts } from "../config/answer-counts.ts";
import { type GroupBy, groupOf } from "../rows/group-by.ts";
import { type AnsweredCheck, answeredCheck } from "./answered-check.ts";
import type { DeltaSettings } from "./delta-options.ts";

export interface AnsweredShares extends AnsweredCheck {
  before: AnswerCounts;
  after: AnswerCounts;
}

/**
 * The check on the rows of both sides; null where a side has no reply fields. Strict tests the shares of each task in
 * pairs, because rollouts of a task are not independent (nor tasks of a cluster), and falls back on the test over rows.
 */
export function answeredShares(
  before: readonly Row[],
  after: readonly Row[],
  { band, settings }: { band: number | null; settings: DeltaSettings },
): AnsweredShares | null {
  const { inference, answeredAlpha, answeredGapPoints, cluster } = settings;
  const [a, b] = [answerCounts(before), answerCounts(after)];
  if (a.withReply === 0 || b.withReply === 0) return null;
  const check = answeredCheck(
    { successes: a.answered, n: a.withReply },
    { successes: b.answered, n: b.withReply },
    {
      band,
      gapPoints: answeredGapPoints,
      alpha: answeredAlpha,
      p: inference === "strict" ? pairedP(before, after, cluster) : null,
    },
  );
  return { ...check, before: a, after: b };
}

function pairedP(before: readonly Row[], after: readonly Row[], cluster: GroupBy | undefined): number | null {
  const { paired, midP } = compareRuns(answers(before, cluster), answers(after, cluster), {
    metric: "marker:answered",
    ...(cluster !== undefined && { cluster: CLUSTER }),
  });
  return paired ? midP : null;
}

const CLUSTER = "cluster";

/** A row a reply: did it say something? And of which cluster is it? */
function answers(rows: readonly Row[], cluster: GroupBy | undefined): Row[] {
  return rows.flatMap((row) => {
    const task_id = isObject(row) ? taskKey(row) : "";
    const { answered, withReply } = answerCounts([row]);
    if (withReply === 0 || task_id === "") return [];
    return [{ task_id, markers: { answered }, ...(cluster !== undefined && { [CLUSTER]: groupOf(row, cluster) }) }];
  });
}

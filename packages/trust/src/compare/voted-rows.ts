import type { Row } from "@while/schema";
import { gradedReward } from "@while/stats";
import { type VoteRule, voteMeta, voteOf } from "../judge/vote.ts";
import { TrustError } from "../trust-error.ts";

export interface VotedRowsOptions {
  rule?: VoteRule;
}

/**
 * The rows that each of several judges scored (`compareJudges`), with what they say together: what `voteJudge` would write,
 * without asking anybody again.
 *
 * @param judged Rows by judge, the same ones in the same order
 * @returns New rows; what a single judge wrote beside its reward is gone
 * @throws TrustError `no_judge` under two judges, `bad_row` for lists of several lengths
 */
export function votedRows(
  judged: ReadonlyMap<string, readonly Row[]>,
  { rule = "majority" }: VotedRowsOptions = {},
): Row[] {
  const lists = [...judged];
  if (lists.length < 2) {
    throw new TrustError("no_judge", `votedRows got the rows of ${lists.length} judges.`, "Pass those of two or more.");
  }
  const lengths = new Set(lists.map(([, rows]) => rows.length));
  if (lengths.size > 1) {
    throw new TrustError(
      "bad_row",
      `votedRows got lists of ${[...lengths].join(" and ")} rows.`,
      "Pass the rows as compareJudges returns them.",
    );
  }
  return lists[0]![1].map((first, i) => {
    const vote = voteOf(
      lists.map(([name, rows]) => ({
        name,
        reward: gradedReward({ reward: rows[i]!.reward ?? null }),
        reason: rows[i]!.reason ?? "",
      })),
      rule,
    );
    const { reason: _reason, failure_class: _class, ...row } = first;
    return {
      ...row,
      reward: vote.reward,
      ...(vote.reason === "" ? {} : { reason: vote.reason }),
      judge_status: vote.reward === null ? "missing_reward" : "ok",
      judge_name: `vote:${lists.map(([name]) => name).join("+")}`,
      judge_meta: voteMeta(vote),
      lineage: { ...first.lineage, judge: `vote:${lists.map(([name]) => name).join("+")}` },
    };
  });
}

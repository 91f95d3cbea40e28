import { checkOptions } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import type { Judge } from "./judge.ts";
import { normalizeJudgeResult } from "./normalize-judge-result.ts";
import { stampName } from "./stamp-name.ts";
import { type Ballot, VOTE_RULES, type VoteRule, voteMeta, voteOf } from "./vote.ts";

export interface VoteJudgeOptions {
  rule?: VoteRule;
  /** Name on the rows; without it `vote:` and the names of the judges. */
  name?: string;
}

/**
 * Several judges as one: each is asked about every row, and the reward is what most of them say, or the mean of what they
 * say (Verga et al. 2024, arXiv:2404.18796). Each vote lies in `judge_meta.votes`. A judge that throws or gives no reward has
 * no vote; a row on which as many pass as fail has no verdict. `compareJudges` says beforehand how much such a vote is worth:
 * judges that err on the same rows outvote nobody.
 *
 * @param judges Two or more; of a majority better an odd number
 * @throws TrustError `no_judge` under two judges, `bad_option`
 */
export function voteJudge(judges: readonly Judge[], options: VoteJudgeOptions = {}): Judge {
  checkOptions(options, ["rule", "name"], (what, fix) => new TrustError("bad_option", what, fix));
  const { rule = "majority" } = options;
  if (!VOTE_RULES.includes(rule)) {
    throw new TrustError("bad_option", `rule is ${JSON.stringify(rule)}.`, `Pass ${VOTE_RULES.join(" or ")}.`);
  }
  if (judges.length < 2 || judges.some((judge) => typeof judge !== "function")) {
    throw new TrustError("no_judge", `voteJudge got ${judges.length} judges.`, "Pass two or more functions of a row.");
  }
  const names = namesOf(judges);
  const versions = judges.map(({ version }) => version);
  const judge: Judge = async (row, context) => {
    const failed: unknown[] = [];
    const ballots = await Promise.all(
      judges.map(async (own, i): Promise<Ballot> => {
        const name = names[i]!;
        try {
          const { reward, reason } = normalizeJudgeResult(await own(row, context));
          return { name, reward, reason };
        } catch (error) {
          failed.push(error);
          return { name, reward: null, reason: "" };
        }
      }),
    );
    // Nobody answered: that is a failed call, with its kind, and may be tried again.
    if (failed.length === judges.length) throw failed[0];
    const vote = voteOf(ballots, rule);
    return { reward: vote.reward, reason: vote.reason, judge_meta: voteMeta(vote) };
  };
  return Object.assign(judge, {
    judgeName: options.name ?? `vote:${names.join("+")}`,
    ...(versions.every((version) => version !== undefined) ? { version: [rule, ...versions].join("+") } : {}),
  });
}

/** `#2` behind a name seen before. */
function namesOf(judges: readonly Judge[]): string[] {
  const seen = new Map<string, number>();
  return judges.map((judge) => {
    const name = stampName(judge);
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name}#${times}`;
  });
}

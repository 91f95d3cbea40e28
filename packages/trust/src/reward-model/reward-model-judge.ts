import { checkOptions, type Row } from "@while/schema";
import type { Judge, JudgeVerdict } from "../judge/judge.ts";
import { TrustError } from "../trust-error.ts";

/** Scores of rows in their order, and the cut that best separates what the model was held out. */
export interface RewardModelScores {
  scores: readonly number[];
  threshold?: number | null;
}

export type ScoreRows = (rows: readonly Row[]) => Promise<RewardModelScores> | RewardModelScores;

export interface RewardModelJudgeOptions {
  /** In place of the cut that comes with the scores. */
  threshold?: number;
  /** Rows that one call of `score` gets at most. */
  batch?: number;
  name?: string;
  version?: string;
}

interface Waiting {
  row: Row;
  settle: (score: number, threshold: number | null) => void;
  fail: (error: unknown) => void;
}

/**
 * A trained reward model as a judge: 1 for a row whose score reaches the threshold, else 0, with the score itself as
 * `rm_score` on the row. Rows that are judged at once are scored in one call.
 *
 * It was trained on one agent's replies and says nothing about another's. That a score equal to the threshold passes is
 * our choice.
 *
 * @throws TrustError `bad_option`, `no_judge`
 */
export function rewardModelJudge(score: ScoreRows, options: RewardModelJudgeOptions = {}): Judge {
  checkOptions(
    options,
    ["threshold", "batch", "name", "version"],
    (what, fix) => new TrustError("bad_option", what, fix),
  );
  const { threshold: given, batch = 256, name = "reward_model", version } = options;
  if (typeof score !== "function") {
    throw new TrustError(
      "no_judge",
      `The reward model is ${JSON.stringify(score)}.`,
      "Pass a function from rows to scores.",
    );
  }
  if (!Number.isSafeInteger(batch) || batch < 1) {
    throw new TrustError("bad_option", `batch is ${batch}.`, "Pass a whole number of 1 or more.");
  }
  if (given !== undefined && !Number.isFinite(given)) {
    throw new TrustError("bad_option", `threshold is ${given}.`, "Pass a number, or leave it to the scores.");
  }
  const waiting: Waiting[] = [];

  const flush = async (): Promise<void> => {
    const now = waiting.splice(0, batch);
    if (waiting.length > 0) void flush();
    try {
      const { scores, threshold = null } = await score(now.map(({ row }) => row));
      if (scores.length !== now.length) {
        throw new Error(`The reward model gave ${scores.length} scores for ${now.length} rows.`);
      }
      for (const [i, { settle }] of now.entries()) settle(scores[i]!, threshold);
    } catch (error) {
      for (const { fail } of now) fail(error);
    }
  };

  const judge = (row: Row): Promise<JudgeVerdict> =>
    new Promise((resolve, reject) => {
      const settle = (rmScore: number, own: number | null): void => {
        const cut = given ?? own;
        if (cut === null) reject(new Error("The reward model came without a threshold: pass one."));
        else if (!Number.isFinite(rmScore)) reject(new Error(`The reward model gave the score ${rmScore}.`));
        else resolve({ reward: rmScore >= cut ? 1 : 0, rm_score: rmScore, threshold: cut });
      };
      waiting.push({ row, settle, fail: reject });
      // Once the rows that were begun together are here.
      if (waiting.length === 1) setTimeout(() => void flush(), 0);
    });
  return Object.assign(judge, {
    ...{ kind: "reward_model" as const, judgeName: name },
    ...(version === undefined ? {} : { version }),
  });
}

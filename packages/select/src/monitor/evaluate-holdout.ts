import { codePointLength, type Row } from "@while/schema";
import { SelectError } from "../select-error.ts";
import type { HoldoutPrompt } from "./holdout.ts";
import type { GoldScorer, MonitorSettings, Sampler } from "./monitor-options.ts";
import { askOf, type Completion, messagesOf, type RewardFunction, replyOf } from "./reward-function.ts";

/** Rollouts of the holdout under the policy as it is now, with what proxy and gold say of each. */
export interface HoldoutEvaluation {
  rows: Row[];
  proxy: number | null;
  gold: number | null;
  /** Rollouts with a gold: it may fail on some. */
  nGold: number;
  /** Mean of the replies, in characters. */
  length: number;
}

/**
 * Draws the holdout, scores it by the proxy and by gold, and takes means over all rollouts.
 *
 * @throws SelectError `bad_sample` when sampler or proxy give another number of things than they were asked for; what
 *   the sampler or the proxy throw
 */
export async function evaluateHoldout(
  holdout: readonly HoldoutPrompt[],
  { sampler, proxy, step }: { sampler: Sampler; proxy: RewardFunction | null; step: number },
  settings: MonitorSettings,
): Promise<HoldoutEvaluation> {
  const completions = await draw(holdout, sampler, step, settings);
  const flat = holdout.flatMap((prompt, i) => completions[i]!.map((completion) => ({ prompt, completion })));
  const proxies = proxy === null ? null : await proxyRewards(flat, proxy);
  const rows = flat.map(({ prompt: { prompt, taskId, columns }, completion }, i): Row => {
    const reward = proxies?.[i] ?? null;
    return {
      ...columns,
      task_id: taskId,
      rollout_index: i % settings.k,
      prompt: askOf(prompt),
      final_text: replyOf(completion),
      messages: messagesOf(prompt, completion),
      steps: [],
      markers: reward === null ? {} : { proxy: reward },
      reward: reward === null ? null : binary(reward),
    };
  });
  if (settings.gold !== null) await addGold(rows, settings.gold, settings.concurrency);
  const golds = rows.map(({ markers }) => markers?.gold).filter((value) => typeof value === "number");
  return {
    rows,
    proxy: meanOf((proxies ?? []).filter((value) => value !== null)),
    gold: meanOf(golds),
    nGold: golds.length,
    length: meanOf(rows.map(({ final_text: text }) => codePointLength(text ?? ""))) ?? 0,
  };
}

/** `batch` prompts at a time. */
async function draw(
  holdout: readonly HoldoutPrompt[],
  sampler: Sampler,
  step: number,
  { k, maxNewTokens, sampling: { batch, ...sampling }, seed }: MonitorSettings,
): Promise<(readonly Completion[])[]> {
  const all: (readonly Completion[])[] = [];
  for (let from = 0; from < holdout.length; from += batch) {
    const prompts = holdout.slice(from, from + batch).map(({ prompt }) => prompt);
    const drawn = await sampler(prompts, { k, maxNewTokens, ...sampling, seed: seed + step, from });
    if (drawn.length !== prompts.length || drawn.some((list) => list.length !== k)) {
      throw new SelectError(
        "bad_sample",
        `The sampler gave ${drawn.map((list) => list.length).join(", ") || "no"} completions for ${prompts.length} prompts.`,
        `Give a list of ${k} for each prompt, in their order.`,
      );
    }
    all.push(...drawn);
  }
  return all;
}

async function proxyRewards(
  flat: readonly { prompt: HoldoutPrompt; completion: Completion }[],
  proxy: RewardFunction,
): Promise<(number | null)[]> {
  const names = new Set(flat.flatMap(({ prompt }) => Object.keys(prompt.columns)));
  const columns = Object.fromEntries(
    Array.from(names, (name) => [name, flat.map(({ prompt }) => prompt.columns[name] ?? null)]),
  );
  const rewards = await proxy(
    flat.map(({ prompt }) => prompt.prompt),
    flat.map(({ completion }) => completion),
    columns,
  );
  if (rewards.length !== flat.length) {
    throw new SelectError(
      "bad_sample",
      `The proxy gave ${rewards.length} rewards for ${flat.length} completions.`,
      "Give one for each completion, null where there is none.",
    );
  }
  return rewards.map((reward) => (Number.isFinite(reward) ? reward : null));
}

/** Several at once; one that fails has no gold, which the coverage shows. */
async function addGold(rows: readonly Row[], gold: GoldScorer, concurrency: number): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < rows.length) {
      const row = rows[next++]!;
      const value = await goldOf(row, gold);
      if (value !== null) row.markers!.gold = value;
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, rows.length) }, work));
}

async function goldOf(row: Row, gold: GoldScorer): Promise<number | null> {
  try {
    const value = await gold(row);
    return Number.isFinite(value) ? value : null;
  } catch {
    // A scorer that fails on one reply says nothing of it: `nGold` counts those that it did score.
    return null;
  }
}

function binary(reward: number): number {
  return reward >= 1 ? 1 : reward <= 0 ? 0 : Math.round(reward);
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

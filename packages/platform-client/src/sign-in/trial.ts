import type { Trial } from "../contract/account.ts";

/** Tokens of an account on trial where the platform does not say. */
const DAILY_TOKENS = 25_000;

/** Tokens that a simulated situation takes. */
const TOKENS_PER_SITUATION = 2000;

/** Situations that a day's tokens of a trial last for, at least one. */
export function trialSituations(dailyInputTokens: number | null | undefined): number {
  return Math.max(1, Math.floor((dailyInputTokens || DAILY_TOKENS) / TOKENS_PER_SITUATION));
}

/** What a trial may use, and how it is lifted: what a person is told after signing up. */
export function formatTrial(trial: Trial): string {
  const { expires_at, daily_input_tokens, daily_output_tokens, storage_bytes, datasets, lift } = trial;
  return [
    `On trial until ${expires_at.slice(0, 10)}: ${daily_input_tokens} input and ${daily_output_tokens} output tokens a day, ${storage_bytes} bytes, ${datasets} datasets.`,
    `That is about ${trialSituations(daily_input_tokens)} hosted situations a day; what is written on this machine counts against nothing.`,
    lift,
  ].join("\n");
}

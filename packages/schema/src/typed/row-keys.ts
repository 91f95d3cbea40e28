/** Scorers whose verdict stands beside the row's own, under `<name>_reward` and `<name>_reason`. */
export const ADVISORY: readonly string[] = ["llm", "qwen"];

/** The scorer of a row that has a reward and says from nobody. */
export const UNLABELED = "unlabeled";

/** The key of `evidence` that keeps a verdict which is no number. */
export const REWARD_RAW = "reward_raw";

const CARRIED: ReadonlySet<string> = new Set([
  ...["messages", "opener", "opening", "conversation_id", "ts", "fault_detected", "lineage", "behavior_signature"],
  ...["steering", "tools", "group_id", "logprob", "n_tokens", "token_logprobs", "sampling", "usage"],
  ...["writer_model", "user_model"],
]);

/** Whether a key of the row lies on `rollout.extra` under its own name. */
export function isCarried(key: string): boolean {
  return CARRIED.has(key) || key.startsWith("quality");
}

/** Trainer keys that are no metrics of the model. */
const DROPPED = /^(?:step|total_flos|(?:train|eval)_(?:runtime|samples_per_second|steps_per_second))$/;

/** Trainer key to the name on the page. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...[
    ...["loss", "eval_loss", "train_loss", "epoch", "grad_norm", "reward", "reward_std", "kl", "entropy"],
    ...["policy_loss", "value_loss", "completion_length", "clip_ratio"],
  ].map((name) => [name, name] as const),
  ["learning_rate", "lr"],
  ["mean_token_accuracy", "token_accuracy"],
  ["eval_mean_token_accuracy", "eval_token_accuracy"],
  ["num_tokens", "tokens"],
  ["objective/kl", "kl"],
  ["objective/rlhf_reward", "reward"],
  ["objective/scores", "score"],
  ["objective/entropy", "entropy"],
  ["completions/mean_length", "completion_length"],
  // Rollouts that hit the length cap, and not the clip of the policy ratio.
  ["completions/clipped_ratio", "clip_ratio"],
]);

/**
 * The log of a trainer (TRL, transformers and those that speak like them) under the names that the pages draw. What is
 * no number, or no metric, is left out.
 */
export function mapTrainerLogs(logs: Readonly<Record<string, unknown>>): Record<string, number> {
  const metrics = new Map<string, number>();
  for (const [key, value] of Object.entries(logs)) {
    if (typeof value !== "number" || !Number.isFinite(value) || DROPPED.test(key)) continue;
    const name = nameOf(key);
    if (name !== null) metrics.set(name, value);
  }
  return Object.fromEntries(metrics);
}

function nameOf(key: string): string | null {
  const known = NAMES.get(key);
  if (known !== undefined) return known;
  if (key.startsWith("rewards/")) return `reward_${key.slice("rewards/".length).replaceAll("/", "_")}`;
  return key.startsWith("eval_") ? key : null;
}

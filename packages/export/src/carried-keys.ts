/** What travels beside the conversation, in this order. */
export const CARRIED_KEYS: readonly string[] = [
  // As the Python SDK carries them
  ...["reward", "qwen_reward", "reason", "prompt", "scenario_id", "world_state", "faults", "fault_detected"],
  ...["label_source", "failure_class", "judge_status", "judge_name", "lineage", "logprob", "n_tokens"],
  ...["token_logprobs", "sampling", "policy_version", "writer_model", "user_model", "usage", "tier", "ask_family"],
  ...["ask", "stance", "tone", "texture", "vagueness", "phrasing", "pressure", "user", "history", "length"],
  ...["intent_known", "tool_known"],
  // Without these the difficulty stamp, the penalty trail and the way back to the source row are lost in the file
  ...["task_id", "rollout_id", "rollout_index", "calibration", "finish_reason", "reward_before_penalty", "overlong"],
  // Without it a second export would train the turns that the first one masked
  "train_turns",
  // Of a file whose tool outputs were cut before
  ...["tool_output_truncated", "tool_output_chars_cut"],
];

/**
 * Columns that are always written with a point. Arrow readers fix a column's type on their first block and then fail
 * on the first 0.5 of a column that began with 1.
 */
export const FLOAT_KEYS: ReadonlySet<string> = new Set([
  ...["reward", "qwen_reward", "reward_mean", "reward_std", "reward_before_penalty"],
  ...["margin", "chosen_score", "rejected_score", "logprob", "pass_rate"],
]);

/** Parts of a row that an export reads or writes anew, so that their absence from the file loses nothing. */
export const REPLACED_KEYS: ReadonlySet<string> = new Set([
  ...["messages", "steps", "tool_trace", "final_text", "opener", "opening", "completion", "tools", "system_prompt"],
  ...["loss_mask", "prompt_text", "metadata_json", "metadata", "chat_template_kwargs", "schema_version", "unroll"],
  ...["group_id", "k", "n0", "n1", "reward_mean", "reward_std"],
]);

import * as z from "zod";

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * One step of a rollout: a user turn (`user`), a tool call with its result (`tool`), or agent text (`text`).
 * `text` on a tool step is what the agent said together with the call. Without a key `result` the call was
 * never answered.
 */
export interface Step {
  user?: string | null;
  tool?: string | null;
  arguments?: unknown;
  result?: unknown;
  text?: string | null;
  /** The call's id in the conversation the step was read from. */
  id?: string | null;
  truncated?: boolean | null;
  [key: string]: unknown;
}

/** One message of a conversation as rows carry it. Tool calls are read by `toolCalls`, in any spelling. */
export interface Message {
  role: string;
  content?: unknown;
  name?: string | null;
  tool_calls?: unknown;
  tool_call_id?: string | null;
  [key: string]: unknown;
}

/** An OpenAI function schema, as `tools` lists them. */
export interface ToolSchema {
  type?: string;
  function?: { name?: string; description?: string; parameters?: unknown; [key: string]: unknown };
  [key: string]: unknown;
}

/** How a completion was sampled. */
export interface Sampling {
  temperature?: number | null;
  max_tokens?: number | null;
  model?: string | null;
  [key: string]: unknown;
}

/** Where a row came from. Never a verdict. */
export interface Lineage {
  source?: string | null;
  scoring_run_id?: string | null;
  judge?: string | null;
  judge_version?: string | null;
  parent?: string | null;
  eval_run?: number | null;
  system_prompt_sha?: string | null;
  system_prompt_head?: string | null;
  system_prompt_chars?: number | null;
  importer?: string | null;
  file?: string | null;
  [key: string]: unknown;
}

/**
 * One completion of one task and everything known about it: a line of JSONL on disk, an object on the wire.
 *
 * Only five keys are contract: `task_id` (or `scenario_id`), `prompt`, `final_text`, `reward` and `markers`.
 * Everything else is optional, null reads as absent, and unknown keys pass through untouched.
 */
export interface Row {
  schema_version?: string | null;

  // Identity and grouping
  scenario_id?: string | null;
  task_id?: string | null;
  rollout_id?: string | null;
  rollout_index?: number | null;
  group_id?: string | null;

  // Conversation
  prompt?: string | null;
  opener?: string | null;
  steps?: Step[] | null;
  messages?: Message[] | null;
  final_text?: string | null;
  tools?: ToolSchema[] | null;
  system_prompt?: string | null;
  finish_reason?: string | null;
  truncated?: boolean | null;

  // World; `privileged` is for the teacher alone and never leaves in an export
  world_state?: string | null;
  faults?: Record<string, unknown> | null;
  privileged?: Record<string, unknown> | null;

  // Sampling and cost
  model_version?: string | null;
  policy_version?: string | null;
  writer_model?: string | null;
  user_model?: string | null;
  sampling?: Sampling | null;
  logprob?: number | null;
  n_tokens?: number | null;
  token_logprobs?: number[] | null;
  usage?: Record<string, unknown> | null;

  // Verdict: 0 or 1 is the binary outcome, strictly between is partial credit, null is ungraded
  reward?: number | null;
  reason?: string | null;
  grader_reason?: string | null;
  label_source?: string | null;
  judge_name?: string | null;
  judge_status?: string | null;
  judge_meta?: Record<string, unknown> | null;
  failure_class?: string | null;
  qwen_reward?: number | null;
  reward_before_penalty?: number | null;
  rm_score?: number | null;
  /** Behaviour measurements by name; 1.0 is good. */
  markers?: Record<string, number | null> | null;
  trace_flags?: Record<string, unknown> | null;
  gold_reward?: number | null;
  gold_kind?: string | null;

  lineage?: Lineage | null;
  stage?: string | null;
  purpose?: string | null;
  calibration?: Record<string, unknown> | null;

  // Training rows
  loss_mask?: (0 | 1)[] | null;

  [key: string]: unknown;
}

const step = z.looseObject({
  user: z.string().nullish(),
  tool: z.string().nullish(),
  text: z.string().nullish(),
});

const message = z.looseObject({ role: z.string() });

const share = z.number().min(0).max(1);

/** What a row must satisfy at the door: the types of the known keys; unknown keys are kept. */
export const rowSchema: z.ZodType<Row> = z.looseObject({
  schema_version: z.string().nullish(),
  scenario_id: z.string().nullish(),
  task_id: z.string().nullish(),
  rollout_id: z.string().nullish(),
  rollout_index: z.number().nullish(),
  prompt: z.string().nullish(),
  final_text: z.string().nullish(),
  steps: z.array(step).nullish(),
  messages: z.array(message).nullish(),
  reward: share.nullish(),
  markers: z.record(z.string(), z.number().nullable()).nullish(),
}) as z.ZodType<Row>;

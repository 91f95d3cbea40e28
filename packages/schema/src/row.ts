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

/** One gold label of a row, by one annotator. */
export interface LabelRecord {
  label: number;
  annotator?: string | null;
  /** One of `GOLD_KINDS`; `verifier` reads as `program`. */
  kind?: string | null;
  /** Seconds since 1970. */
  ts?: number | null;
  note?: string | null;
  [key: string]: unknown;
}

/** One mark of a row on a scale, by one annotator. */
export interface RatingRecord {
  rating: number;
  /** The lowest and the highest mark; 0 to 1 when left out. */
  scale?: number[] | null;
  annotator?: string | null;
  /** One of `GOLD_KINDS`; `verifier` reads as `program`. */
  kind?: string | null;
  /** Seconds since 1970. */
  ts?: number | null;
  note?: string | null;
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
  gold_labels?: LabelRecord[] | null;
  /** How sure a consensus of annotators is of `gold_reward`, from one half to 1. */
  gold_confidence?: number | null;
  /** Mean of `gold_ratings`, from 0 at the lowest mark to 1 at the highest. */
  gold_score?: number | null;
  gold_ratings?: RatingRecord[] | null;

  lineage?: Lineage | null;
  stage?: string | null;
  purpose?: string | null;
  calibration?: Record<string, unknown> | null;

  // Training rows
  loss_mask?: (0 | 1)[] | null;

  [key: string]: unknown;
}

/** The axes of the coverage grid that a row may name its cell by, in the order the Python SDK writes them. */
export const AXES: readonly string[] = Object.freeze([
  ...["tier", "ask_family", "intent_known", "tool_known", "stance", "tone", "length"],
  ...["ask", "vagueness", "phrasing", "pressure", "user", "texture", "history"],
]);

/** The keys that a grading path writes. */
export const VERDICT_KEYS: readonly string[] = Object.freeze([
  ...["reward", "reason", "grader_reason", "label_source", "judge_name", "judge_status", "judge_meta"],
  ...["failure_class", "llm_reward", "llm_reason", "qwen_reward"],
]);

/** Kinds of gold label: by a person, by a program that checks the answer, by a model. */
export const GOLD_KINDS: readonly string[] = Object.freeze(["human", "program", "model"]);

/** Stages of post-training that a row can feed. */
export const STAGES: readonly string[] = Object.freeze(["sft", "rm", "rl", "eval", "mid"]);

/** zod says `x?: T | undefined` where a plain type says `x?: T`; JSON has no undefined, so both mean the same. */
type Undefinable<T> = T extends readonly (infer Item)[]
  ? Undefinable<Item>[]
  : T extends object
    ? { [Key in keyof T]: Undefinable<T[Key]> | undefined }
    : T;

const text = z.string().nullish();
const number = z.number().nullish();
const object = z.looseObject({}).nullish();
const share = z.number().min(0).max(1);

/** `1e999` is JSON and an infinity. */
function hasFiniteNumbers(value: object | null | undefined): boolean {
  return !Object.values(value ?? {}).some((item) => typeof item === "number" && !Number.isFinite(item));
}

const stepShape = z.looseObject({ user: text, tool: text, text, id: text, truncated: z.boolean().nullish() });

const messageShape = z.looseObject({ role: z.string(), name: text, tool_call_id: text });

const labelRecordShape = z.looseObject({
  label: z.union([z.literal(0), z.literal(1)]),
  annotator: text,
  kind: text,
  ts: number,
  note: text,
});

const ratingRecordShape = z.looseObject({
  rating: z.number(),
  scale: z.array(z.number()).nullish(),
  annotator: text,
  kind: text,
  ts: number,
  note: text,
}) satisfies z.ZodType<Undefinable<RatingRecord>>;

const toolShape = z.looseObject({
  type: z.string().optional(),
  function: z.looseObject({ name: z.string().optional(), description: z.string().optional() }).optional(),
});

const rowShape = z.looseObject({
  schema_version: text,

  scenario_id: text,
  task_id: text,
  rollout_id: text,
  rollout_index: number,
  group_id: text,

  prompt: text,
  opener: text,
  steps: z.array(stepShape).nullish(),
  messages: z.array(messageShape).nullish(),
  final_text: text,
  tools: z.array(toolShape).nullish(),
  system_prompt: text,
  finish_reason: text,
  truncated: z.boolean().nullish(),

  world_state: text,
  faults: object,
  privileged: object,

  model_version: text,
  policy_version: text,
  writer_model: text,
  user_model: text,
  sampling: z
    .looseObject({ temperature: number, max_tokens: number, model: text })
    .nullish()
    .refine(hasFiniteNumbers, "holds a number that is not finite"),
  logprob: number,
  n_tokens: number,
  token_logprobs: z.array(z.number()).nullish(),
  usage: object.refine(hasFiniteNumbers, "holds a number that is not finite"),

  reward: share.nullish(),
  reason: text,
  grader_reason: text,
  label_source: text,
  judge_name: text,
  judge_status: text,
  judge_meta: object,
  failure_class: text,
  qwen_reward: number,
  reward_before_penalty: number,
  rm_score: number,
  markers: z.record(z.string(), z.number().nullable()).nullish(),
  trace_flags: object,
  gold_reward: number,
  gold_kind: text,
  gold_labels: z.array(labelRecordShape).nullish(),
  gold_confidence: share.nullish(),
  gold_score: share.nullish(),
  gold_ratings: z.array(ratingRecordShape).nullish(),

  lineage: z
    .looseObject({
      source: text,
      scoring_run_id: text,
      judge: text,
      judge_version: text,
      parent: text,
      eval_run: number,
      system_prompt_sha: text,
      system_prompt_head: text,
      system_prompt_chars: number,
      importer: text,
      file: text,
    })
    .nullish(),
  stage: text,
  purpose: text,
  calibration: object,

  loss_mask: z.array(z.union([z.literal(0), z.literal(1)])).nullish(),
}) satisfies z.ZodType<Undefinable<Row>>;

/** What a row must satisfy at the door: the types of the known keys; unknown keys are kept. */
export const rowSchema: z.ZodType<Row> = rowShape as z.ZodType<Row>;

/** What a step must satisfy at the door. */
export const stepSchema: z.ZodType<Step> = stepShape as z.ZodType<Step>;

/** What a message must satisfy at the door. */
export const messageSchema: z.ZodType<Message> = messageShape as z.ZodType<Message>;

/** What an entry of `gold_labels` must satisfy. */
export const labelRecordSchema: z.ZodType<LabelRecord> = labelRecordShape as z.ZodType<LabelRecord>;

/** What an entry of `gold_ratings` must satisfy. */
export const ratingRecordSchema: z.ZodType<RatingRecord> = ratingRecordShape as z.ZodType<RatingRecord>;

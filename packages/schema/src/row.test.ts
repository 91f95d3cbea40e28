import { expect, test } from "vitest";
import * as z from "zod";
import {
  type Json,
  type LabelRecord,
  type Lineage,
  labelRecordSchema,
  type RatingRecord,
  type Row,
  ratingRecordSchema,
  rowSchema,
  type Sampling,
  type Step,
  stepSchema,
} from "./row.ts";

/** The keys a type names itself, without those its index signature lets in. */
type Named<T> = keyof { [Key in keyof T as string extends Key ? never : Key]: true };

/** One value for each key of the type: the compiler refuses a key too many and one too few. */
type Full<T> = { [Key in Named<T> & keyof T]-?: NonNullable<T[Key]> };

const step: Full<Step> = { user: "u", tool: "t", arguments: {}, result: {}, text: "x", id: "1", truncated: false };
const sampling: Full<Sampling> = { temperature: 0.7, max_tokens: 100, model: "m" };
const label: Full<LabelRecord> = { label: 1, annotator: "a", kind: "human", ts: 0, note: "n" };
const rating: Full<RatingRecord> = { rating: 4, scale: [1, 5], annotator: "a", kind: "human", ts: 0, note: "n" };
const lineage: Full<Lineage> = {
  ...{ source: "eval", scoring_run_id: "score_1", judge: "j", judge_version: "1", parent: "p", eval_run: 0 },
  ...{ system_prompt_sha: "s", system_prompt_head: "h", system_prompt_chars: 1, importer: "i", file: "f" },
};

const row: Full<Row> = {
  schema_version: "1",
  ...{ scenario_id: "s", task_id: "t", rollout_id: "r", rollout_index: 0, group_id: "g" },
  ...{ prompt: "p", opener: "o", steps: [step], messages: [{ role: "user" }], final_text: "f", tools: [{}] },
  ...{ system_prompt: "s", finish_reason: "stop", truncated: false, world_state: "w", faults: {}, privileged: {} },
  ...{ model_version: "m", policy_version: "p", writer_model: "w", user_model: "u", sampling, logprob: -1 },
  ...{ n_tokens: 1, token_logprobs: [-1], usage: {}, reward: 0.5, reason: "r", grader_reason: "g" },
  ...{ label_source: "l", judge_name: "j", judge_status: "ok", judge_meta: {}, failure_class: "f", qwen_reward: 1 },
  ...{ reward_before_penalty: 1, rm_score: 3.2, markers: { brief: 1 }, trace_flags: {}, gold_reward: 1 },
  ...{
    gold_kind: "human",
    gold_labels: [label],
    gold_confidence: 0.9,
    gold_score: 0.75,
    gold_ratings: [rating],
    lineage,
    stage: "rl",
    purpose: "train",
    calibration: {},
  },
  loss_mask: [0, 1],
};

/** Keys of the type that hold any JSON, or that the message shape alone reads; the schema leaves them as they are. */
const UNREAD: Record<string, readonly string[]> = { step: ["arguments", "result"] };

function schemaKeys(schema: z.ZodType): string[] {
  return Object.keys((z.toJSONSchema(schema, { io: "input" }).properties as Record<string, Json>) ?? {}).sort();
}

test("the schema reads exactly the keys that the plain types name", () => {
  expect(schemaKeys(rowSchema)).toEqual(Object.keys(row).sort());
  expect([...schemaKeys(stepSchema), ...UNREAD.step!].sort()).toEqual(Object.keys(step).sort());
  expect(schemaKeys(labelRecordSchema)).toEqual(Object.keys(label).sort());
  expect(schemaKeys(ratingRecordSchema)).toEqual(Object.keys(rating).sort());
});

test("a row with every key passes and comes out equal, unknown keys included", () => {
  const full = { ...row, extra: { kept: true } };
  expect(rowSchema.parse(full)).toEqual(full);
});

test.each(Object.keys(row))("%s may be null and may be absent", (key) => {
  expect(rowSchema.safeParse({ [key]: null }).success).toBe(true);
  expect(rowSchema.safeParse({}).success).toBe(true);
});

test.each(Object.keys(row))("%s of another type is refused and named", (key) => {
  const { error } = rowSchema.safeParse({ [key]: Symbol("another type") });
  expect(error?.issues[0]?.path[0]).toBe(key);
});

test.each([1.5, -0.5, Number.NaN])("a reward of %d is refused", (reward) => {
  expect(rowSchema.safeParse({ reward }).success).toBe(false);
});

import { stamp } from "../checks/shape.ts";
import { checkRows } from "../checks/validate-row.ts";
import { messagesOf } from "../conversation/conversation.ts";
import { isObject } from "../is-object.ts";
import { AXES, type Row } from "../row.ts";
import { textOf } from "../text/text-of.ts";
import { type ScrubRowOptions, scrubRow } from "./scrub-row.ts";

/** Written before the keys of no known order, so that files of two releases can be compared line by line. */
// biome-ignore format: a line for each thing a row tells
const KEY_ORDER: readonly string[] = [
  "task_id", "rollout_id", "rollout_index", "group_id", "conversation_id", "ts", "seed",
  "model_version", "policy_version", "writer_model", "user_model", "sampling", "finish_reason", "truncated",
  "logprob", "n_tokens", "token_logprobs", "usage", "harness",
  "reward", "reason", "label_source", "judge_name", "judge_status", "judge_meta", "failure_class",
  "llm_reward", "llm_reason", "qwen_reward", "quality", "quality_reason", "quality_scores",
];

/** World states that say nothing. */
export const NO_WORLD: ReadonlySet<unknown> = new Set(["", "unspecified", "unknown"]);

/**
 * The row as files carry it: scrubbed (see `scrubRow`, which also reports what went), with its messages rebuilt where
 * it has none, known keys in a fixed order, no nulls and no scratch keys (those beginning with `_`), and stamped.
 * Scrubbing comes first, so that messages rebuilt from steps cannot carry a blocked value as text.
 *
 * @throws SchemaError `schema_invalid` when the result is no valid row
 */
export function exportRow(row: Row, options: ScrubRowOptions = {}): Row {
  const clean = scrubRow(row, options).row;
  const out = new Map<string, unknown>();
  out.set("prompt", clean.prompt ?? "");
  out.set("messages", messagesOf(clean));
  out.set("steps", clean.steps ?? []);
  out.set("final_text", textOf(clean.final_text));
  out.set("scenario_id", textOf(clean.scenario_id));
  if (textOf(clean.opener) !== "") {
    out.set("opener", clean.opener);
    out.set("opening", clean.opening ?? "agent");
  }
  for (const axis of AXES) out.set(axis, clean[axis]);
  out.set("world_state", NO_WORLD.has(clean.world_state) ? null : clean.world_state);
  out.set("faults", cleanFaults(clean.faults));
  out.set("fault_detected", clean.fault_detected === true ? true : null);
  for (const key of KEY_ORDER) out.set(key, clean[key]);
  const reason = textOf(clean.grader_reason) || textOf(clean.reason);
  out.set("reason", isNothing(clean.reward) || reason === "" ? null : reason);
  for (const key of Object.keys(clean)) {
    if (!out.has(key) && !key.startsWith("_")) out.set(key, clean[key]);
  }
  const exported = stamp(Object.fromEntries([...out].filter(([, value]) => !isNothing(value))));
  checkRows(exported, { where: "export_row" });
  return exported;
}

/** The entries of a fault plan that are objects; null when there are none. Older rows mix plain words into it. */
export function cleanFaults(plan: unknown): Record<string, unknown> | null {
  if (!isObject(plan)) return null;
  const faults = Object.entries(plan).filter(([, fault]) => isObject(fault));
  return faults.length === 0 ? null : Object.fromEntries(faults);
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

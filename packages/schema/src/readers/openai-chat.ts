import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { chatRow, contextOf, imported, isMessages, toolsOf } from "./chat-row.ts";
import type { Format, ReaderContext } from "./format.ts";
import { preferenceRows } from "./preference-rows.ts";
import { rescored } from "./scored.ts";

/**
 * Lines of `messages`, as OpenAI fine-tunes on them and TRL calls language modelling. One row a line; several answers
 * to one context are one task. `weight` on a message becomes `loss_mask`, `functions` become `tools`.
 *
 * A line that ends with the user's turn is for reinforcement: its other keys are references for a grader and go under
 * `privileged`.
 */
export const openaiChat: Format = {
  name: "openai-chat",
  title: "OpenAI chat messages",
  detect: ({ messages }) => Array.isArray(messages),
  open: (context) => ({ read: (record) => [chatRecord(record, "openai-chat", context)] }),
};

/** Lines of `input`, `preferred_output` and `non_preferred_output`: two answers to one context, or one pair. */
export const openaiPreference: Format = {
  name: "openai-preference",
  title: "OpenAI preference lines",
  detect: ({ input, preferred_output }) => isObject(input) && "messages" in input && preferred_output !== undefined,
  open: (context) => ({
    read(record) {
      const { input, preferred_output: chosen, non_preferred_output: rejected, ...rest } = record;
      const { messages, tools: _, ...settings } = isObject(input) ? input : {};
      if (!isMessages(messages) || !isMessages(chosen) || !isMessages(rejected)) {
        throw new SchemaError(
          "bad_value",
          "The line lacks messages under input, preferred_output or non_preferred_output.",
          "Write a list of messages under each of the three.",
        );
      }
      const common = { ...settings, ...rest, ...toolsOf(isObject(input) ? input : {}) };
      return preferenceRows({ context: messages, chosen, rejected, common }, "openai-preference", context);
    },
  }),
};

export function chatRecord(record: SourceObject, importer: string, context: ReaderContext): Row {
  const { messages, tools: _, functions: __, ...rest } = record;
  if (!isMessages(messages)) {
    throw new SchemaError("bad_value", "messages is no list of messages with a role.", "Write [{role, content}, …].");
  }
  const row = { ...chatRow(messages, importer, context), ...toolsOf(record) };
  const asked = contextOf(messages);
  const isForGrader = messages.at(-1)?.role === "user" && !messages.some((message) => message.role === "assistant");
  if (!isForGrader) return rescored(imported(row, rest, asked, importer, context), context.options);
  const known: SourceObject = {};
  const references: SourceObject = {};
  for (const [key, value] of Object.entries(rest)) (KNOWN_KEYS.has(key) ? known : references)[key] = value;
  if (Object.keys(references).length > 0) {
    const own = isObject(known.privileged) ? known.privileged : {};
    known.privileged = { ...own, ...references };
  }
  return rescored(imported(row, known, asked, importer, context), context.options);
}

/** Keys of a line that are no reference for a grader: settings of the request, and keys that rows have anyway. */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  "parallel_tool_calls",
  "tool_choice",
  "function_call",
  "response_format",
  "chat_template_kwargs",
  "metadata",
  "schema_version",
  "scenario_id",
  "task_id",
  "rollout_id",
  "rollout_index",
  "group_id",
  "id",
  "seed",
  "prompt",
  "opener",
  "steps",
  "final_text",
  "system_prompt",
  "privileged",
  "world_state",
  "faults",
  "model_version",
  "policy_version",
  "sampling",
  "usage",
  "reward",
  "reason",
  "label_source",
  "judge_name",
  "judge_status",
  "judge_meta",
  "markers",
  "lineage",
  "stage",
  "purpose",
  "calibration",
  "loss_mask",
]);

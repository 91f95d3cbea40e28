import { isObject } from "../is-object.ts";
import { parseEmbeddedJson } from "../json/json-text.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message, Row, ToolSchema } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { shownValue } from "../text/shown-value.ts";
import { textOf } from "../text/text-of.ts";
import { chatRow, contextOf, imported } from "./chat-row.ts";
import type { Format, ReaderContext } from "./format.ts";
import { preferenceRows } from "./preference-rows.ts";
import { rescored } from "./scored.ts";

/**
 * Lines of `conversations`, each turn `{from, value}` (ShareGPT, as LLaMA-Factory, Axolotl and many published sets
 * have it) or `{role, content}`; with `system` and `tools` beside them. A tool call is a turn of its own, `function_call`,
 * whose value is JSON, and `observation` is its answer.
 *
 * `chosen` and `rejected` make two rows of one task, `kto_tag` is the reward. Without these a line has none.
 */
export const shareGpt: Format = {
  name: "sharegpt",
  title: "ShareGPT conversations",
  detect: ({ conversations, schema_version, scenario_id }) =>
    schema_version === undefined &&
    scenario_id === undefined &&
    Array.isArray(conversations) &&
    conversations.length > 0 &&
    conversations.every(isTurn),
  open: (context) => ({ read: (record) => rowsOf(record, context) }),
};

/** Who speaks, by the words that sets have for it. The first five say no more than the role does. */
const ROLES: ReadonlyMap<unknown, string> = new Map([
  ["human", "user"],
  ["gpt", "assistant"],
  ["system", "system"],
  ["function_call", "call"],
  ["observation", "tool"],
  ["user", "user"],
  ["assistant", "assistant"],
  ["model", "assistant"],
  ["chatgpt", "assistant"],
  ["bing", "assistant"],
  ["bard", "assistant"],
  ["developer", "developer"],
  ["tool_call", "call"],
  ["tool", "tool"],
  ["tool_response", "tool"],
  ["function_response", "tool"],
  ["function", "tool"],
]);

const PLAIN: ReadonlySet<unknown> = new Set([...ROLES.keys()].slice(0, 5));

function rowsOf(record: SourceObject, context: ReaderContext): Row[] {
  const { conversations, system, tools, chosen, rejected, kto_tag: tag, ...rest } = record;
  if (!Array.isArray(conversations) || conversations.length === 0) {
    throw new SchemaError("bad_value", "conversations is no list of turns.", "Write [{from, value}, …].");
  }
  const turns = conversations.map((turn, index) => messageOf(turn, `conversations[${index}]`));
  const messages =
    typeof system === "string" && system !== "" ? [{ role: "system", content: system }, ...turns] : turns;
  const common = { ...rest, ...toolsOf(tools, context) };
  if (isTurn(chosen) && isTurn(rejected)) {
    const answers = { chosen: [messageOf(chosen, "chosen")], rejected: [messageOf(rejected, "rejected")] };
    return preferenceRows({ context: messages, ...answers, common }, "sharegpt", context);
  }
  const others = Object.entries({ chosen, rejected }).filter(([, value]) => value !== undefined);
  const row = chatRow(messages, "sharegpt", context);
  const all = { ...common, ...Object.fromEntries(others) };
  const whole = rescored(imported(row, all, contextOf(messages), "sharegpt", context), context.options);
  if (tag === undefined || tag === null) return [whole];
  if (typeof tag !== "boolean") {
    throw new SchemaError("bad_value", `kto_tag is ${shownValue(tag)}.`, "Write true or false.");
  }
  return [{ ...whole, reward: tag ? 1 : 0, label_source: "label" }];
}

function isTurn(turn: unknown): turn is SourceObject {
  if (!isObject(turn)) return false;
  return (typeof turn.from === "string" && "value" in turn) || (typeof turn.role === "string" && "content" in turn);
}

function messageOf(turn: unknown, place: string): Message {
  if (!isTurn(turn)) throw new SchemaError("bad_value", `${place} is no turn.`, "Write {from, value}.");
  if (typeof turn.from !== "string") return turn as Message;
  const { from, value, ...more } = turn;
  const role = ROLES.get(from);
  if (role === undefined) {
    throw new SchemaError(
      "bad_value",
      `${place}.from is ${shownValue(from)}.`,
      `Write one of ${[...PLAIN].join(", ")}.`,
    );
  }
  const said = PLAIN.has(from) ? more : { ...more, from };
  if (role === "call") return { ...said, role: "assistant", content: "", tool_calls: callsOf(value) };
  const isStructured = role === "tool" && typeof value === "object" && value !== null;
  return { ...said, role, content: isStructured ? value : textOf(value) };
}

/** One call or several, as objects; text that is no JSON stays, for the reader of calls to say so. */
function callsOf(value: unknown): unknown {
  const calls = typeof value === "string" ? (jsonOf(value) ?? value) : value;
  return Array.isArray(calls) ? calls : [calls];
}

/** Tools are JSON text, mostly of schemas without a wrapper. Text that is none describes them in words. */
function toolsOf(tools: unknown, context: ReaderContext): SourceObject {
  if (tools === undefined || tools === null || tools === "") return {};
  const list = typeof tools === "string" ? jsonOf(tools) : tools;
  if (Array.isArray(list)) return { tools: list.map(functionSchema) };
  context.warn("tools_unread", "tools is no JSON list of schemas; rows keep it as tools_text.");
  return { tools_text: tools };
}

function functionSchema(tool: unknown): ToolSchema {
  const isBare = isObject(tool) && typeof tool.name === "string" && tool.type === undefined;
  return isBare ? { type: "function", function: tool } : (tool as ToolSchema);
}

function jsonOf(text: string): unknown {
  try {
    const value = parseEmbeddedJson(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined; // Kept as the text it is.
  }
}

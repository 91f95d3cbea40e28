import { blockText } from "../conversation/block-text.ts";
import { fromMessages } from "../conversation/from-messages.ts";
import { shortHash } from "../identity/derived-ids.ts";
import { isObject } from "../is-object.ts";
import { parseEmbeddedJson } from "../json/json-text.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Lineage, Message, Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { pyJson } from "../text/python-json.ts";
import { shownValue } from "../text/shown-value.ts";
import { textOf } from "../text/text-of.ts";
import type { ReaderContext } from "./format.ts";

/**
 * A row from a message list: told as prompt, steps and final text, with the messages beside them, because only those
 * hold every id, block and spelling. The agent's rules leave the messages and go to the report; what rows keep of
 * them is `lineage.system_prompt_*`.
 *
 * @throws SchemaError `bad_value`
 */
export function chatRow(messages: readonly Message[], importer: string, context: ReaderContext): Row {
  const { said, rules } = apartFromRules(messages);
  const { prompt, opener, steps, final_text } = fromMessages(said);
  const row: Row = { prompt, steps, final_text, messages: said.map(withoutWeight) };
  if (opener !== "") row.opener = opener;
  const mask = lossMask(said);
  if (mask !== null) row.loss_mask = mask;
  return { ...row, lineage: lineageOf(importer, context), ...rules };
}

/** A conversation without the rules at its head, and where a row keeps those. */
export interface ApartFromRules {
  said: readonly Message[];
  rules: Pick<Row, "system_prompt"> & { system_messages?: readonly Message[] };
}

/**
 * Takes the agent's rules from the head of a conversation. They are a text; what does not fit into one (blocks, names,
 * the word `developer`) is kept as `system_messages`.
 */
export function apartFromRules(messages: readonly Message[]): ApartFromRules {
  const nRules = messages.findIndex((message) => !isRules(message));
  const head = messages.slice(0, nRules < 0 ? messages.length : nRules);
  const rules: ApartFromRules["rules"] = {};
  const text = head.map(({ content }) => blockText(content)).join("\n\n");
  if (text !== "") rules.system_prompt = text;
  if (!head.every(isPlainSystem)) rules.system_messages = head;
  return { said: messages.slice(head.length), rules };
}

/** `importer` and `file`, and `source` where the user said one. */
export function lineageOf(importer: string, { file, options }: ReaderContext, source?: string): Lineage {
  const lineage: Lineage = {};
  const said = options.source ?? source;
  if (said !== undefined) lineage.source = said;
  lineage.importer = importer;
  if (file !== null) lineage.file = file;
  return lineage;
}

/**
 * The keys of a record on top of what was made of it, with the identity that the record lacks: answers to one context
 * are rollouts of one task.
 */
export function imported(
  row: Row,
  rest: SourceObject,
  asked: readonly unknown[],
  importer: string,
  context: ReaderContext,
): Row {
  const whole: Row = { ...row, ...rest };
  if (row.lineage !== undefined && isObject(rest.lineage)) whole.lineage = { ...row.lineage, ...rest.lineage };
  if (textOf(whole.scenario_id) === "" && textOf(whole.task_id) === "") {
    whole.task_id = `task_${shortHash(pyJson(asked, { sortKeys: true }))}`;
  }
  const task = textOf(whole.scenario_id) || textOf(whole.task_id);
  const index = context.nextIndex(task);
  whole.rollout_index ??= index;
  if (textOf(whole.rollout_id) === "") {
    whole.rollout_id = shortHash(
      importer,
      context.file ?? "",
      task,
      index,
      JSON.stringify([row.messages, row.final_text]),
    );
  }
  return whole;
}

/** The messages before the first answer to a user: what a task is. All of them where nobody asks or answers. */
export function contextOf(messages: readonly Message[]): readonly Message[] {
  const asks = messages.findIndex((message) => message?.role === "user");
  const answers = messages.findIndex((message, index) => index > asks && message?.role === "assistant");
  return asks < 0 || answers < 0 ? messages : messages.slice(0, answers);
}

/** Whether a value is a list of messages, and not a text or nothing. */
export function isMessages(value: unknown): value is Message[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((item) => isObject(item) && typeof item.role === "string")
  );
}

/**
 * The tools of a record as a list of function schemas: a list, a list as JSON text (TRL), or `functions` from before
 * there were tools (OpenAI). Nothing when there are none.
 */
export function toolsOf({ tools, functions }: SourceObject): Pick<Row, "tools"> {
  if (typeof tools === "string" && tools.trim() !== "") {
    const list = parsedList(tools);
    if (list === null) {
      throw new SchemaError("bad_value", "tools is text that is no JSON list.", "Write tools as a list of schemas.");
    }
    return { tools: list as NonNullable<Row["tools"]> };
  }
  if (Array.isArray(tools)) return { tools };
  if (!Array.isArray(functions)) return {};
  return { tools: functions.map((schema) => ({ type: "function", function: schema })) };
}

function parsedList(text: string): unknown[] | null {
  try {
    const value = parseEmbeddedJson(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null; // The caller refuses the record.
  }
}

function isRules(message: unknown): boolean {
  return isObject(message) && (message.role === "system" || message.role === "developer");
}

function isPlainSystem(message: Message): boolean {
  return message.role === "system" && typeof message.content === "string" && Object.keys(message).length === 2;
}

/** One entry a message from OpenAI's `weight`; null when no message has one. */
function lossMask(messages: readonly Message[]): (0 | 1)[] | null {
  if (!messages.some((message) => isObject(message) && message.weight !== undefined)) return null;
  return messages.map(({ role, weight }, index) => {
    if (weight !== undefined && weight !== 0 && weight !== 1) {
      throw new SchemaError("bad_value", `messages[${index}].weight is ${shownValue(weight)}.`, "Write 0 or 1.");
    }
    return role !== "assistant" || weight === 0 ? 0 : 1;
  });
}

function withoutWeight(message: Message): Message {
  if (!isObject(message) || message.weight === undefined) return message;
  const { weight: _, ...rest } = message;
  return rest;
}

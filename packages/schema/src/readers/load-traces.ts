import { fromMessages } from "../conversation/from-messages.ts";
import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import { checkOptions } from "../options/check-options.ts";
import type { Message, Row, Step } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { textOf } from "../text/text-of.ts";
import { apartFromRules, isMessages } from "./chat-row.ts";
import { isEmpty } from "./flat-columns.ts";
import { scored } from "./scored.ts";

export interface LabelOptions {
  /** Column or columns that hold the verdict, instead of `reward`; the first readable one wins. */
  rewardKey?: string | readonly string[];
  /** Labels at or above it are 1, others 0. Without it only 0, 1 and booleans are labels. */
  threshold?: number;
}

export interface LoadTracesOptions extends LabelOptions {
  /** Keep a label between 0 and 1 as partial credit. By default only where it stands under `reward`. */
  keepFractional?: boolean;
}

/** What `readRows` adds: the range of the labels. */
export interface LooseOptions extends LoadTracesOptions {
  scale?: readonly [low: number, high: number];
}

export interface LoadedTraces {
  rows: Row[];
  /** Records with neither an ask nor steps. */
  dropped: number;
}

const ASK_KEYS = ["prompt", "question", "input", "task", "ask"];
const STEP_KEYS = ["steps", "tool_trace", "trace"];
const REPLY_KEYS = ["final_text", "final", "output", "response", "answer"];
const ARGUMENT_KEYS = ["input", "args", "parameters"];
const RESULT_KEYS = ["output", "response"];

/**
 * Loose records as canonical rows: `question` or `input` as `prompt`, `output` or `answer` as `final_text`,
 * `tool_trace` as `steps`, a message list as the conversation it is. Keys that were not needed stay on the row.
 *
 * A label is a boolean, 0, 1, or with `threshold` any number. A fraction under `reward` stays, as partial credit
 * (the Python SDK deletes it); a number outside [0, 1] is no reward and stays in `judge_meta.reward_out_of_range`.
 *
 * @throws SchemaError `bad_option`
 */
export function loadTraces(source: readonly SourceObject[], options: LoadTracesOptions = {}): LoadedTraces {
  checkOptions(
    options,
    ["rewardKey", "threshold", "keepFractional"],
    (what, fix) => new SchemaError("bad_option", what, fix),
  );
  const rows: Row[] = [];
  for (const record of source) {
    const row = looseRow(record, options);
    if (row === null) continue;
    const { reward } = row;
    if (typeof reward !== "number" || (reward >= 0 && reward <= 1)) rows.push(row);
    else rows.push(withMeta({ ...row, reward: null, judge_status: "invalid_result" }, { reward_out_of_range: reward }));
  }
  return { rows, dropped: source.length - rows.length };
}

/**
 * One loose record as a row; null when it has neither an ask nor steps. A reward outside [0, 1] is left as it is, for
 * the caller to refuse.
 */
export function looseRow(record: SourceObject, options: LooseOptions): Row | null {
  const row: Row = { ...record };
  const ask = moved(row, ASK_KEYS, "prompt");
  moved(row, STEP_KEYS, "steps");
  const reply = moved(row, REPLY_KEYS, "final_text");
  const messages = messageList(ask, reply) ?? (Array.isArray(row.messages) ? (row.messages as Message[]) : []);
  const told = messages.length > 0 ? fromMessages(messages) : null;

  if (isEmpty(row.steps)) row.steps = told?.steps ?? [];
  else if (Array.isArray(row.steps)) row.steps = row.steps.map(canonicalStep);
  const steps = Array.isArray(row.steps) ? row.steps : [];
  if (isEmpty(ask) || isMessages(ask)) row.prompt = told?.prompt || firstUserText(steps);
  else row.prompt = isMessages(inner(ask)) ? (told?.prompt ?? "") : textOf(ask);
  if (isEmpty(reply) || isMessages(reply)) row.final_text = told?.final_text || lastText(steps);
  else row.final_text = textOf(reply);
  if (told !== null && told.opener !== "") row.opener ??= told.opener;
  keepMessages(row, ask, messages, isMessages(ask) || isMessages(inner(ask)) || isMessages(reply));
  if (row.prompt === "" && steps.length === 0) return null;
  return labelled(row, options);
}

/** The list beside the fields that were told from it: only the list holds block kinds and the ids of calls. */
function keepMessages(row: Row, ask: unknown, messages: readonly Message[], wasUnderAnotherName: boolean): void {
  if (isObject(ask) && isMessages(ask.messages)) {
    const { messages: _, ...rest } = ask;
    if (Object.keys(rest).length > 0) row.input = rest;
  }
  if (messages.length === 0) return;
  if (wasUnderAnotherName && Array.isArray(row.messages)) {
    row.prompt_messages = messages;
    return;
  }
  const { said, rules } = apartFromRules(messages);
  Object.assign(row, { messages: said, ...rules });
}

/** Puts the first alias that holds something under its canonical name, and returns what stands there now. */
function moved(row: Row, aliases: readonly string[], canonical: string): unknown {
  for (const alias of aliases) {
    const value = row[alias];
    if (isEmpty(value)) continue;
    if (alias !== canonical) {
      delete row[alias];
      row[canonical] = value;
    }
    return value;
  }
  return row[canonical];
}

/** The conversation that stands where a text should, ask and reply together; null when both are texts. */
function messageList(ask: unknown, reply: unknown): Message[] | null {
  const asked = isMessages(ask) ? ask : inner(ask);
  const head: Message[] = isMessages(asked) ? asked : [];
  const tail: Message[] = isMessages(reply) ? reply : [];
  if (head.length === 0 && tail.length === 0) return null;
  const question: Message[] = head.length === 0 && typeof ask === "string" && ask !== "" ? [user(ask)] : [];
  return [...question, ...head, ...tail];
}

function user(content: string): Message {
  return { role: "user", content };
}

/** `input: {messages: […]}` */
function inner(ask: unknown): unknown {
  return isObject(ask) ? ask.messages : undefined;
}

/** A tool step with its arguments and its result under their names. */
function canonicalStep(step: Step): Step {
  if (!isObject(step) || isEmpty(step.tool)) return step;
  const renamed: Step = {};
  const argumentsFrom = step.arguments === undefined ? ARGUMENT_KEYS.find((key) => step[key] !== undefined) : undefined;
  const resultFrom = step.result === undefined ? RESULT_KEYS.find((key) => step[key] !== undefined) : undefined;
  if (argumentsFrom === undefined && resultFrom === undefined) return step;
  for (const [key, value] of Object.entries(step)) {
    renamed[key === argumentsFrom ? "arguments" : key === resultFrom ? "result" : key] = value;
  }
  return renamed;
}

function firstUserText(steps: readonly Step[]): string {
  return textOf(steps.find((step) => isObject(step) && !isEmpty(step.user))?.user);
}

function lastText(steps: readonly Step[]): string {
  return textOf(steps.findLast((step) => isObject(step) && !isEmpty(step.text))?.text);
}

function labelled(row: Row, options: LooseOptions): Row {
  const keys = rewardKeys(options);
  for (const key of keys) {
    const value = labelOf(row[key]);
    if (value === null) continue;
    const graded = gradedBy(row, key, value, options);
    if (graded !== null) return graded;
  }
  if (keys.includes("reward") || row.reward === undefined || row.reward === null) return row;
  // Another column was to be read and says nothing: this row has no verdict, whatever `reward` holds.
  return withMeta({ ...row, reward: null }, { reward_unread: row.reward });
}

/** The row with its label, or null when the column holds a number that is no label. */
function gradedBy(row: Row, key: string, value: number, options: LooseOptions): Row | null {
  const { threshold, scale, keepFractional = key === "reward" } = options;
  if (threshold === undefined && scale === undefined) {
    if (value === 0 || value === 1) return { ...row, reward: value };
    const isShare = value > 0 && value < 1;
    if (isShare && keepFractional) return { ...row, reward: value };
    if (key !== "reward") return null;
    // 3 stays for the caller to refuse.
    return isShare ? withMeta({ ...row, reward: null }, { rating: value }) : row;
  }
  const { reward, judge_status: status, judge_meta: meta } = scored(value, options);
  if (status !== undefined) {
    throw new SchemaError(
      "bad_value",
      `${key} is ${value}, outside the scale ${scale?.[0]} to ${scale?.[1]}.`,
      "Give the scale that the judge was given.",
    );
  }
  // Under any other name the score stays where it is.
  return key === "reward" && value !== reward ? withMeta({ ...row, reward }, meta) : { ...row, reward };
}

export function rewardKeys({ rewardKey = "reward" }: LabelOptions): readonly string[] {
  return typeof rewardKey === "string" ? [rewardKey] : rewardKey;
}

/** A label as a number: booleans are 0 and 1; null for everything else that is no number. */
export function labelOf(value: unknown): number | null {
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function withMeta(row: Row, meta: Record<string, unknown> = {}): Row {
  return { ...row, judge_meta: { ...(isObject(row.judge_meta) ? row.judge_meta : {}), ...meta } };
}

import type { Example } from "@while/platform-client/contract";
import { blockText, type LabelRecord, type Message, messagesOf, type Row, type Step, toolCalls } from "@while/schema";
import { goldLabel } from "./gold-label.ts";

/** One thing that was said or done, in order. */
export interface Turn {
  kind: "customer" | "agent" | "call" | "result" | "other";
  /** Who, as it stands before the text. */
  who: string;
  text: string;
}

/** What people, or a program, say of a row beside the one that graded it. */
export interface Gold {
  /** Those who labeled, as far as they are named. */
  by: string;
  passed: number;
  of: number;
  kind: string;
  note: string | null;
}

/** A graded row told as a story: who said and did what, who judged it how, and what else was posted. */
export interface RowStory {
  turns: Turn[];
  /** The one that graded it, when it is named. */
  judge: string | null;
  judgeReason: string | null;
  gold: Gold | null;
  /** The majority of the labels is not what the row was graded; null without labels or with a tie. */
  disagree: boolean | null;
  /** The detail as text, where it is no row. */
  detail: string | null;
}

/**
 * Reads a graded row. Its detail may be a row of its own as JSON: a list of messages, or an object with `messages`,
 * `steps` or `tool_trace`, and with `gold_labels`, `gold_reward`, `judge_name` and `reason`. Any other detail, and one
 * that lost its middle, is text.
 */
export function rowStory({ ok, prompt, reply, why, detail, tags }: Example): RowStory {
  const row = rowIn(detail);
  const gold = row === null ? goldOfTags(tags) : (goldOf(row) ?? goldOfTags(tags));
  const majority = gold === null || gold.passed * 2 === gold.of ? null : gold.passed * 2 > gold.of;
  const turns = row === null ? [] : turnsOf(row);
  return {
    turns: turns.length > 0 ? turns : plainTurns(prompt, reply),
    judge: text(row?.judge_name),
    judgeReason: text(row?.reason) ?? text(row?.grader_reason) ?? why ?? null,
    gold,
    disagree: majority === null ? null : majority !== ok,
    detail: row === null || turns.length + Number(gold !== null) === 0 ? (detail ?? null) : null,
  };
}

function plainTurns(prompt: string | null | undefined, reply: string | null | undefined): Turn[] {
  const turns: Turn[] = [];
  if (prompt) turns.push({ kind: "customer", who: "asked", text: prompt });
  if (reply) turns.push({ kind: "agent", who: "agent", text: reply });
  return turns;
}

function rowIn(detail: string | null | undefined): Row | null {
  if (!detail || !/^\s*[[{]/.test(detail)) return null;
  let value: unknown;
  try {
    value = JSON.parse(detail);
  } catch {
    // It lost its middle, or was never JSON: then it is text.
    return null;
  }
  if (Array.isArray(value)) return { messages: value as Message[] };
  return typeof value === "object" ? (value as Row) : null;
}

function turnsOf(row: Row): Turn[] {
  const given = { ...row, messages: listOf(row.messages), steps: listOf(row.steps) ?? stepsOfTrace(row.tool_trace) };
  if (given.messages === null && given.steps === null) return [];
  return messagesOf(given as Row).flatMap((message) => (isMessage(message) ? turnsOfMessage(message) : []));
}

function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && typeof (value as Message).role === "string";
}

function listOf<T>(value: readonly T[] | null | undefined): T[] | null {
  return Array.isArray(value) && value.length > 0 ? value : null;
}

/** Calls as the platform returns them. */
function stepsOfTrace(trace: unknown): Step[] | null {
  if (!Array.isArray(trace) || trace.length === 0) return null;
  return trace.map(({ tool, name, input, output }): Step => ({ tool: tool ?? name, arguments: input, result: output }));
}

function turnsOfMessage(message: Message): Turn[] {
  const said = typeof message.content === "string" ? message.content : blockText(message.content);
  const turns: Turn[] = [];
  if (message.role === "tool" || message.role === "function") {
    return [{ kind: "result", who: "result", text: laidOut(said) }];
  }
  if (said.trim() !== "") turns.push({ ...speakerOf(message.role), text: said });
  for (const { name, arguments: given, raw, parseError } of toolCalls(message)) {
    const args = parseError === undefined ? onOneLine(given) : (raw ?? "");
    turns.push({ kind: "call", who: "call", text: `${name}(${args === "{}" ? "" : args})` });
  }
  return turns;
}

function speakerOf(role: string): Pick<Turn, "kind" | "who"> {
  if (role === "user") return { kind: "customer", who: "asked" };
  if (role === "assistant") return { kind: "agent", who: "agent" };
  return { kind: "other", who: role };
}

/** Longer JSON than that gets its lines. */
const ONE_LINE = 72;

/** A result that is JSON with room between its parts; where it is long, with a line for each. */
function laidOut(said: string): string {
  if (!/^\s*[[{]/.test(said)) return said;
  try {
    const value: unknown = JSON.parse(said);
    const line = onOneLine(value);
    return line.length <= ONE_LINE ? line : JSON.stringify(value, null, 2);
  } catch {
    return said;
  }
}

function onOneLine(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
}

function goldOf(row: Row): Gold | null {
  const labels = (listOf(row.gold_labels) ?? []).filter(isLabel);
  if (labels.length > 0) {
    const names = [...new Set(labels.map(({ annotator }) => text(annotator)).filter((name) => name !== null))];
    return {
      by: names.join(", "),
      ...{ passed: labels.filter(({ label }) => label === 1).length, of: labels.length },
      kind: kindOf(labels[0]!.kind),
      note: labels.map(({ note }) => text(note)).find((note) => note !== null) ?? null,
    };
  }
  const { gold_reward: gold } = row;
  if (gold !== 0 && gold !== 1) return null;
  return { by: "", passed: gold, of: 1, kind: kindOf(row.gold_kind), note: null };
}

function isLabel(value: unknown): value is LabelRecord {
  return typeof value === "object" && value !== null && [0, 1].includes((value as LabelRecord).label);
}

function kindOf(kind: unknown): string {
  return kind === "program" || kind === "verifier" ? "program" : kind === "model" ? "model" : "people";
}

/** A label that was posted as a tag. */
function goldOfTags(tags: Example["tags"]): Gold | null {
  const word = tags?.gold ?? tags?.gold_reward;
  const passes = word === undefined ? null : goldLabel(word);
  return passes === null ? null : { by: "", passed: Number(passes), of: 1, kind: "people", note: null };
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

import { blockText, isObject, type Message, pyJson, type ToolCall, toolCalls } from "@while/schema";
import { ExportError } from "../export-error.ts";
import type { TextCounts } from "../json/json-text.ts";
import type { WireCall, WireMessage, WireRole } from "../training-row.ts";
import { argumentText } from "./argument-text.ts";
import { type ConversionCounts, countIn } from "./conversion-counts.ts";
import { stripThink } from "./think-text.ts";
import { capToolOutput, type ToolOutputKeep } from "./tool-output-cap.ts";

export interface WireOptions {
  /** Put in front; null leaves the conversation's own system message. */
  systemPrompt: string | null;
  stripThink: boolean;
  /** Code points a tool message may have; null is no cap. */
  maxToolOutputChars: number | null;
  toolOutputKeep: ToolOutputKeep;
}

/** A conversation on the wire, and per message the code points that were cut from it. */
export interface WireConversation {
  messages: WireMessage[];
  /** Code points cut from tool messages, by their place in `messages`. */
  cuts: Map<number, number>;
  thinkRemoved: boolean;
}

const ROLES: ReadonlyMap<unknown, WireRole> = new Map([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["assistant", "assistant"],
  ["tool", "tool"],
  ["function", "tool"],
  ["ipython", "tool"],
]);

/** Fields that have a place on the wire, or are read into one. */
const READ_FIELDS: ReadonlySet<string> = new Set([
  ...["role", "content", "name", "tool_calls", "tool_call_id", "function_call"],
]);

/**
 * Messages of any spelling as trainers read them: four roles, text contents, nested calls with an id each, answers
 * linked to their calls. Answers without an id are linked first in, first out; a generated id never repeats one that
 * the conversation already has, which would hand an answer to the wrong call.
 *
 * @param where How an error names the row
 * @throws ExportError `unknown_role` (the Python SDK drops such messages)
 */
export function wireMessages(
  messages: readonly Message[],
  { systemPrompt, stripThink, maxToolOutputChars, toolOutputKeep }: WireOptions,
  { where, counts, text }: { where: () => string; counts: ConversionCounts; text: TextCounts },
): WireConversation {
  const calls = messages.map((message) => (isObject(message) ? toolCalls(message) : []));
  const ids = new CallIds(calls);
  const links = new AnswerLinks(counts);
  const wire: WireMessage[] = [];
  const cuts = new Map<number, number>();
  let thinkRemoved = false;

  const push = (message: WireMessage): void => {
    if (message.role !== "tool") links.nextTurn();
    wire.push(message);
  };
  const textOf = (content: unknown): string => contentText(content, stripThink, counts);
  const answer = (content: string, id: string | null, name: string | null): void => {
    const { text: kept, cut } =
      maxToolOutputChars === null
        ? { text: content, cut: 0 }
        : capToolOutput(content, maxToolOutputChars, toolOutputKeep);
    if (cut > 0) cuts.set(wire.length, cut);
    const message: WireMessage = { role: "tool", content: kept };
    if (name !== null) message.name = name;
    const answered = links.answer(id, name);
    if (answered !== null) message.tool_call_id = answered;
    push(message);
  };

  if (systemPrompt !== null && systemPrompt !== "") push({ role: "system", content: systemPrompt });
  for (const [index, message] of messages.entries()) {
    const role = ROLES.get(message?.role);
    if (role === undefined) throw unknownRole(message, index, where());
    countDroppedFields(message, counts);

    if (role === "tool") {
      answer(textOf(message.content), textOrNull(message.tool_call_id), textOrNull(message.name));
      continue;
    }
    const content = textOf(message.content) || refusalText(message);
    if (role === "user") {
      const results = toolResults(message);
      for (const { tool_use_id: id, content: result } of results) answer(textOf(result), textOrNull(id), null);
      if (content !== "" || results.length === 0) push({ role, content });
    } else if (role === "system") {
      if (index === 0 && wire.length > 0) {
        if (content !== wire[0]!.content) counts.systemReplaced++;
      } else push({ role, content });
    } else {
      const turn: WireMessage = { role, content };
      if (stripThink) {
        const spoken = removeThink(message, content);
        turn.content = spoken.text;
        thinkRemoved ||= spoken.removed;
        if (spoken.removed) counts.thinkRemoved++;
        if (spoken.unclosed) counts.thinkUnclosed++;
      }
      push(turn);
      if (calls[index]!.length === 0) {
        if (turn.content === "") counts.emptyAssistantTurns++;
        continue;
      }
      turn.tool_calls = calls[index]!.map((call): WireCall => {
        const id = ids.next(call.id);
        links.call(id, call.name);
        const given = call.raw ?? call.arguments;
        return { id, type: "function", function: { name: call.name, arguments: argumentText(given, text) } };
      });
    }
  }
  links.close();
  return { messages: wire, cuts, thinkRemoved };
}

/** Ids for calls that came without: `call_0000` by the number of the call, skipping those that are taken. */
class CallIds {
  readonly #taken = new Set<string>();
  #n = 0;

  constructor(calls: readonly (readonly ToolCall[])[]) {
    for (const turn of calls) for (const { id } of turn) if (id !== undefined) this.#taken.add(id);
  }

  next(given: string | undefined): string {
    if (given !== undefined) {
      this.#n++;
      return given;
    }
    let id: string;
    do id = `call_${String(this.#n++).padStart(4, "0")}`;
    while (this.#taken.has(id));
    return id;
  }
}

/**
 * Which call an answer belongs to, and which calls never got one. Without an id it is a call of the latest calling
 * turn: the one of the tool's name, else the oldest. Only then an older call, so that one that was never answered
 * does not take the answers of all that follow it.
 */
class AnswerLinks {
  readonly #counts: ConversionCounts;
  /** Unanswered calls with the tool's name, oldest first. */
  readonly #pending = new Map<string, string>();
  /** Of these, the ones of the latest calling turn. */
  #latest = new Map<string, string>();
  #turnBegan = true;

  constructor(counts: ConversionCounts) {
    this.#counts = counts;
  }

  call(id: string, name: string): void {
    if (this.#turnBegan) this.#latest = new Map();
    this.#turnBegan = false;
    this.#latest.set(id, name);
    this.#pending.set(id, name);
  }

  /** The id of the call answered; null when there is none. */
  answer(given: string | null, name: string | null): string | null {
    const id = given ?? oldest(this.#latest, name) ?? oldest(this.#pending, name);
    if (id === null || !this.#pending.delete(id)) this.#counts.orphanToolMessages++;
    else this.#latest.delete(id);
    return id;
  }

  /** A turn that is no answer begins. */
  nextTurn(): void {
    this.#turnBegan = true;
  }

  /** Calls of the last turn may just not have been run yet; older ones were passed over. */
  close(): void {
    this.#counts.unansweredCalls += this.#pending.size - (this.#turnBegan ? 0 : this.#latest.size);
  }
}

function oldest(calls: ReadonlyMap<string, string>, name: string | null): string | null {
  let eldest: string | null = null;
  for (const [id, tool] of calls) {
    if (tool === name) return id;
    eldest ??= id;
  }
  return eldest;
}

/** Text contents as they are, block lists as their text; data that is no block list as its JSON. */
function contentText(content: unknown, stripThink: boolean, counts: ConversionCounts): string {
  if (typeof content === "string") return content;
  if (content === null || content === undefined) return "";
  if (!Array.isArray(content) || !content.every(isBlock)) return pyJson(content, { ascii: false });
  for (const block of content) {
    if (typeof block === "string" || READ_BLOCKS.has(block.type) || block.text === "") continue;
    if (stripThink && THINK_BLOCKS.has(block.type)) continue;
    if (blockText([block]) === "") countIn(counts.contentPartsDropped, block.type);
  }
  return blockText(content);
}

/** Read by `toolCalls` and by `toolResults`. */
const READ_BLOCKS: ReadonlySet<string> = new Set(["tool_use", "tool_result"]);

/** Taken out on purpose where think text is. */
const THINK_BLOCKS: ReadonlySet<string> = new Set(["thinking", "redacted_thinking"]);

function isBlock(block: unknown): block is string | { type: string; text?: unknown } {
  return typeof block === "string" || (isObject(block) && typeof block.type === "string");
}

/** OpenAI puts a refusal beside an empty content; it is what the agent said. */
function refusalText(message: Message): string {
  return typeof message.refusal === "string" ? message.refusal : "";
}

/** Think text between tags, and thinking blocks, which never enter `content` in the first place. */
function removeThink(message: Message, content: string): { text: string; removed: boolean; unclosed: boolean } {
  const spoken = stripThink(content);
  const thought = Array.isArray(message.content) && message.content.some((block) => block?.type === "thinking");
  return thought ? { ...spoken, removed: true } : spoken;
}

/** Answers that stand as blocks in a user message, the way Anthropic spells them. */
function toolResults({ content }: Message): Record<string, unknown>[] {
  return Array.isArray(content) ? content.filter((block) => isObject(block) && block.type === "tool_result") : [];
}

function countDroppedFields(message: Message, counts: ConversionCounts): void {
  for (const key of Object.keys(message)) {
    const value = message[key];
    if (READ_FIELDS.has(key) || value === null || value === undefined || value === "") continue;
    if (key === "refusal" && !message.content) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    countIn(counts.messageFieldsDropped, key);
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function unknownRole(message: Message | undefined, index: number, where: string): ExportError {
  return new ExportError(
    "unknown_role",
    `Message ${index} of ${where} has the role ${JSON.stringify(message?.role ?? null)}.`,
    "Rename it to system, user, assistant or tool, or leave the message out of the source.",
    { data: { row: where, message: index } },
  );
}

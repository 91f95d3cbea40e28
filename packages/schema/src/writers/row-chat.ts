import { blockText, textOfBlock } from "../conversation/block-text.ts";
import { messagesOf } from "../conversation/conversation.ts";
import { fromMessages } from "../conversation/from-messages.ts";
import { type ToolCall, toolCalls } from "../conversation/tool-calls.ts";
import { isObject } from "../is-object.ts";
import type { Message, Row } from "../row.ts";
import type { RowSource } from "../row-source.ts";
import { pyJson } from "../text/python-json.ts";

/** A turn of a conversation with its text alone, and calls and answers that know each other by id. */
export type ChatTurn =
  | { role: "system" | "developer" | "user"; content: string }
  | { role: "assistant"; content: string; calls: readonly (ToolCall & { id: string })[]; weight: 0 | 1 | null }
  | { role: "tool"; content: string; name: string; id: string };

/** A row's conversation in the terms that every chat format has. */
export interface RowChat {
  turns: ChatTurn[];
  /** What has no place in it: `block:image`, `role:critic`, `message:name`, `loss_mask`. */
  left: string[];
}

/** Fields of a message that are read into a turn. */
const READ_FIELDS: ReadonlySet<string> = new Set([
  ...["role", "content", "tool_calls", "tool_call_id", "function_call", "refusal", "name", "function"],
  ...["error", "is_error", "weight"],
]);

/**
 * The conversation of a row, with the agent's rules in front. An answer without an id belongs to the latest turn that
 * called, there to the oldest call of its tool; so a call that was never answered does not take the answer of the next. A
 * faulty answer is the object that says so.
 */
export function rowChat(row: Row, source: RowSource): RowChat {
  const messages = messagesOf(row);
  const left: string[] = [];
  const turns: ChatTurn[] = rulesInFront(row, messages, source);
  const ids = new TurnIds(messages);
  const mask = masked(row, messages);
  if (row.loss_mask != null && mask === null) left.push("loss_mask");
  for (const [index, message] of messages.entries()) {
    if (!isObject(message)) {
      left.push("messages[]");
      continue;
    }
    left.push(...unreadParts(message));
    const { role, content } = message;
    if (role === "system" || role === "developer") turns.push({ role, content: blockText(content) });
    else if (role === "user") {
      const answers = Array.isArray(content) ? content.filter(isAnswer) : [];
      for (const answer of answers) turns.push(answered(answer, ids.answered(answer.tool_use_id, undefined)));
      if (answers.length === 0 || blockText(content) !== "") turns.push({ role, content: blockText(content) });
    } else if (role === "assistant") {
      turns.push({
        role,
        content: saidIn(message),
        calls: ids.called(toolCalls(message)),
        weight: mask?.[index] ?? null,
      });
    } else if (role === "tool" || role === "function") {
      turns.push(answered(message, ids.answered(message.tool_call_id, message.name ?? message.function)));
    } else left.push(`role:${role}`);
  }
  return { turns, left };
}

/** Whether the turns tell the row's own prompt and final text when they are read again; else which of them they do not. */
export function retold(row: Row, turns: readonly ChatTurn[]): string[] {
  const told = fromMessages(turns.filter(({ role }) => role !== "system" && role !== "developer").map(openaiMessage));
  return (["prompt", "final_text"] as const).filter((key) => (row[key] ?? "") !== told[key]);
}

/** A turn as the Chat Completions API spells it. */
export function openaiMessage(turn: ChatTurn): Message {
  if (turn.role === "tool") {
    const { role, id, name, content } = turn;
    return { role, tool_call_id: id, ...(name === "" ? {} : { name }), content };
  }
  if (turn.role !== "assistant") return { ...turn };
  const { role, content, calls, weight } = turn;
  const tool_calls = calls.map(({ id, name, arguments: given, raw }) => {
    return { id, type: "function", function: { name, arguments: raw ?? JSON.stringify(given) } };
  });
  return {
    role,
    content: content === "" && calls.length > 0 ? null : content,
    ...(calls.length > 0 ? { tool_calls } : {}),
    ...(weight === null ? {} : { weight }),
  };
}

/** The rules as the row has them, or as its source does. */
function rulesInFront(row: Row, messages: readonly Message[], source: RowSource): ChatTurn[] {
  if (messages[0]?.role === "system" || messages[0]?.role === "developer") return [];
  const { system_messages: kept } = row;
  if (Array.isArray(kept) && kept.length > 0) {
    return kept.map((message: unknown) => {
      const { role, content } = isObject(message) ? message : {};
      return { role: role === "developer" ? role : "system", content: blockText(content) };
    });
  }
  const sha = isObject(row.lineage) ? row.lineage.system_prompt_sha : undefined;
  const text = row.system_prompt || source.systemPrompts?.get(sha ?? "") || source.systemPrompt || "";
  return text === "" ? [] : [{ role: "system", content: text }];
}

/** What the mask says of each message; null when it is not one entry a message. */
function masked({ loss_mask: mask }: Row, messages: readonly Message[]): readonly (0 | 1)[] | null {
  return Array.isArray(mask) && mask.length === messages.length ? mask : null;
}

/** Text and refusal, as they are read. */
function saidIn(message: Message): string {
  const text = blockText(message.content);
  const refusal = typeof message.refusal === "string" ? message.refusal : "";
  return text !== "" && refusal !== "" ? `${text}\n${refusal}` : text || refusal;
}

function answered(message: Record<string, unknown>, { id, name }: { id: string; name: string }): ChatTurn {
  const { content, error, is_error: flag } = message;
  if (typeof content === "string" && !error && flag !== true) return { role: "tool", content, name, id };
  const [step] = fromMessages([{ ...message, role: "tool" } as Message]).steps;
  const result = step?.result ?? "";
  return { role: "tool", content: typeof result === "string" ? result : pyJson(result, { ascii: false }), name, id };
}

function unreadParts(message: Message): string[] {
  const fields = Object.entries(message).flatMap(([key, value]) => {
    const isNothing = value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length);
    return READ_FIELDS.has(key) || isNothing ? [] : [`message:${key}`];
  });
  if (message.role !== "tool" && message.role !== "function" && message.name) fields.push("message:name");
  const blocks = Array.isArray(message.content) ? message.content : [];
  const unread = blocks.filter((block) => textOfBlock(block) === null && !isAnswer(block) && !isCall(block));
  return [...fields, ...unread.map((block) => `block:${isObject(block) ? String(block.type) : typeof block}`)];
}

function isAnswer(block: unknown): block is Record<string, unknown> {
  return isObject(block) && block.type === "tool_result";
}

function isCall(block: unknown): boolean {
  return isObject(block) && block.type === "tool_use";
}

/** Gives every call an id, and finds the call of every answer. */
class TurnIds {
  readonly #taken: Set<string>;
  /** Calls without an answer, oldest first. */
  readonly #open = new Map<string, string>();
  /** Those of the latest turn that called. */
  #latest = new Map<string, string>();
  #next = 0;

  constructor(messages: readonly Message[]) {
    const calls = messages.flatMap((message) => (isObject(message) ? toolCalls(message) : []));
    this.#taken = new Set(calls.flatMap(({ id }) => id ?? []));
  }

  called(calls: readonly ToolCall[]): (ToolCall & { id: string })[] {
    const turn = calls.map((call) => ({ ...call, id: call.id ?? this.#fresh() }));
    if (turn.length > 0) this.#latest = new Map(turn.map(({ id, name }) => [id, name]));
    for (const { id, name } of turn) this.#open.set(id, name);
    return turn;
  }

  answered(given: unknown, named: unknown): { id: string; name: string } {
    const tool = typeof named === "string" ? named : "";
    const id = typeof given === "string" && this.#open.has(given) ? given : this.#waiting(tool);
    const name = this.#open.get(id) ?? "";
    this.#open.delete(id);
    this.#latest.delete(id);
    return { id, name: tool || name };
  }

  /** The call that an answer without an id is for. */
  #waiting(tool: string): string {
    return oldest(this.#latest, tool) ?? oldest(this.#open, tool) ?? this.#fresh();
  }

  #fresh(): string {
    let id: string;
    do id = `call_${++this.#next}`;
    while (this.#taken.has(id));
    return id;
  }
}

/** The oldest call of the tool, else the oldest one. */
function oldest(calls: ReadonlyMap<string, string>, tool: string): string | null {
  let eldest: string | null = null;
  for (const [id, name] of calls) {
    if (name === tool) return id;
    eldest ??= id;
  }
  return eldest;
}

import { blockText } from "../conversation/block-text.ts";
import { toolCalls } from "../conversation/tool-calls.ts";
import { isObject } from "../is-object.ts";
import type { Message } from "../row.ts";
import { normText } from "../text/norm-text.ts";
import { pyJson } from "../text/python-json.ts";
import { textOf } from "../text/text-of.ts";
import { toolFault } from "../tool/tool-fault.ts";
import { jsonOf } from "./message-value.ts";
import type { ToolContent } from "./span-content.ts";

/** A message, and after which span it was known. */
interface Told {
  message: Message;
  key: string;
  /** Position of the span among those of the conversation. */
  at: number;
}

/**
 * The conversation that the calls of a model tell together. Each was sent all that came before, or the end of it: what
 * is sent again is not told again, and a user who says the same thing twice is heard twice.
 *
 * `sent`, `answered`, `concluded` and `ran` are called in the order of the spans.
 */
export class History {
  #told: Told[] = [];
  readonly #tools: { tool: ToolContent; at: number }[] = [];

  /** What a model was sent. */
  sent(messages: readonly Message[], at: number): void {
    if (messages.length === 0) return;
    const keys = messages.map(keyOf);
    const from = this.#isBegunBy(keys) ? this.#told.length : this.#overlap(keys);
    this.#add(messages.slice(from), keys.slice(from), at);
  }

  /** What a model answered. */
  answered(messages: readonly Message[], at: number): void {
    this.#add(messages, messages.map(keyOf), at);
  }

  /** What a span that holds others came to: mostly what the last of those answered. */
  concluded(messages: readonly Message[], at: number): void {
    this.sent(messages, at);
  }

  /** A tool's own record of a run. */
  ran(tool: ToolContent, at: number): void {
    this.#tools.push({ tool, at });
  }

  get isEmpty(): boolean {
    return this.#told.length + this.#tools.length === 0;
  }

  /** The messages, with what tools recorded put to the calls it belongs to, and in its own place where none asked. */
  messages(): Message[] {
    const told = this.#told.map((one): Turn => ({ ...one, answers: [] }));
    const calls = new OpenCalls(told);
    const alone: { messages: Message[]; at: number }[] = [];
    for (const { tool, at } of this.#tools) {
      const call = calls.take(tool);
      if (call === null) alone.push({ messages: callAndAnswer(tool), at });
      else if (call.answer !== null) failAnswer(call.answer, tool);
      else call.turn.answers.push(...answerOf(tool, call.id));
    }
    const messages: Message[] = [];
    let next = 0;
    for (const { message, answers, at } of told) {
      while (next < alone.length && alone[next]!.at < at) messages.push(...alone[next++]!.messages);
      messages.push(message, ...answers);
    }
    for (; next < alone.length; next++) messages.push(...alone[next]!.messages);
    return messages;
  }

  #add(messages: readonly Message[], keys: readonly string[], at: number): void {
    for (const [index, message] of messages.entries()) this.#told.push({ message, key: keys[index]!, at });
  }

  #isBegunBy(keys: readonly string[]): boolean {
    return this.#told.length <= keys.length && this.#told.every(({ key }, index) => key === keys[index]);
  }

  /** How many messages at the end of what was told are the first of these: the longest such run. */
  #overlap(keys: readonly string[]): number {
    // Knuth, Morris and Pratt: the borders of the new messages, then one pass over the end of the old ones.
    const borders: number[] = [0];
    for (let i = 1, length = 0; i < keys.length; i++) {
      while (length > 0 && keys[i] !== keys[length]) length = borders[length - 1]!;
      if (keys[i] === keys[length]) length++;
      borders.push(length);
    }
    let length = 0;
    for (const { key } of this.#told.slice(-keys.length)) {
      if (length === keys.length) length = borders[length - 1]!;
      while (length > 0 && key !== keys[length]) length = borders[length - 1]!;
      if (key === keys[length]) length++;
    }
    return length;
  }
}

/** A message with the answers that only its tools recorded. */
interface Turn extends Told {
  answers: Message[];
}

interface OpenCall {
  turn: Turn;
  id: string;
  name: string;
  arguments: string;
  /** Where the conversation has the answer; null while nobody gave one. */
  answer: Told | null;
  isTaken: boolean;
}

/** The calls of a conversation, found by id or by tool and arguments without a search through all. */
class OpenCalls {
  readonly #byId = new Map<string, OpenCall[]>();
  readonly #byWords = new Map<string, OpenCall[]>();

  constructor(told: readonly Turn[]) {
    const waiting: OpenCall[] = [];
    for (const turn of told) {
      const { message } = turn;
      for (const { id = "", name, arguments: given } of toolCalls(message)) {
        const call: OpenCall = { turn, id, name, arguments: wordsOf(given), answer: null, isTaken: false };
        waiting.push(call);
        if (id !== "") add(this.#byId, id, call);
        add(this.#byWords, `${name} ${call.arguments}`, call);
      }
      for (const asked of answeredBy(message)) {
        const isIt = ({ id, name }: OpenCall) => (asked === "" ? !message.name || name === message.name : id === asked);
        const at = waiting.findIndex(isIt);
        if (at >= 0) waiting.splice(at, 1)[0]!.answer = turn;
      }
    }
  }

  /** The call that a tool ran for; null when nobody is known to have made it. */
  take({ id, name, arguments: given }: ToolContent): OpenCall | null {
    const known = id === "" ? undefined : this.#byId.get(id);
    const call = next(known) ?? next(this.#byWords.get(`${name} ${wordsOf(given)}`));
    if (call !== null) call.isTaken = true;
    return call;
  }
}

/** Ids of the calls that a message answers; "" for an answer that names none. */
function answeredBy({ role, content, tool_call_id: id }: Message): string[] {
  if (role === "tool") return [textOf(id)];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) =>
    isObject(block) && block.type === "tool_result" ? [textOf(block.tool_use_id)] : [],
  );
}

function add(calls: Map<string, OpenCall[]>, key: string, call: OpenCall): void {
  const list = calls.get(key);
  if (list === undefined) calls.set(key, [call]);
  else list.push(call);
}

/** The oldest of the calls that no tool has run for; those before it are dropped, as they will not be asked for again. */
function next(calls: OpenCall[] | undefined): OpenCall | null {
  while (calls !== undefined && calls.length > 0 && calls[0]!.isTaken) calls.shift();
  return calls?.[0] ?? null;
}

function answerOf(tool: ToolContent, id: string): Message[] {
  if (tool.result === undefined && tool.error === null) return [];
  const answer: Message = { role: "tool", name: tool.name, content: tool.result ?? "" };
  if (id !== "") answer.tool_call_id = id;
  return [withFailure(answer, tool)];
}

/** What a model was told of a call is what counts; that the call failed may stand in the tool's record alone. */
function failAnswer(answer: Told, tool: ToolContent): void {
  if (answer.message.role === "tool") answer.message = withFailure(answer.message, tool);
}

function callAndAnswer(tool: ToolContent): Message[] {
  const { id, name, arguments: given } = tool;
  const call = { ...(id === "" ? {} : { id }), type: "function", function: { name, arguments: given } };
  return [{ role: "assistant", content: "", tool_calls: [call] }, ...answerOf(tool, id)];
}

/** An answer that failed and does not say so: what the tool answered is the output of an error. */
function withFailure(answer: Message, { error }: ToolContent): Message {
  const result = jsonOf(answer.content);
  const saysSo = isObject(result) && ("status" in result || toolFault(result) !== "");
  if (error === null || saysSo) return answer;
  const output = result === "" ? {} : { output: result };
  return { ...answer, content: { status: "error", ...output, error: error || "error" } };
}

/**
 * What tells one message from another when it is sent again: who said it, its words, and the calls it makes. An answer
 * is the one to its call, however it is spelled.
 */
function keyOf(message: Message): string {
  const { role, content, tool_call_id: answers } = message;
  if (role === "tool" && textOf(answers) !== "") return pyJson([role, answers]);
  const text = blockText(content) || (content === null || content === undefined ? "" : wordsOf(content));
  const calls = toolCalls(message).map(({ id = "", name, arguments: given }) => [
    id,
    name,
    id === "" ? wordsOf(given) : "",
  ]);
  return pyJson([role, normText(text), calls]);
}

/** A value as text that is the same however it was spelled. */
function wordsOf(value: unknown): string {
  const given = jsonOf(value);
  return typeof given === "string" ? given : pyJson(given ?? {}, { sortKeys: true });
}

import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message } from "../row.ts";
import { pyJson } from "../text/python-json.ts";
import { textOf } from "../text/text-of.ts";

/** Items of OpenAI's Responses API as messages. */
export interface ItemMessages {
  messages: Message[];
  /** Items that are no part of a conversation, such as lists of tools and approvals, with their place. */
  others: { index: number; item: unknown }[];
}

/** Calls whose answer is an item of its own, and the key that holds what was asked. */
const CALLS: ReadonlyMap<unknown, string> = new Map([
  ["function_call", "arguments"],
  ["custom_tool_call", "input"],
  ["computer_call", "action"],
  ["local_shell_call", "action"],
  ["shell_call", "action"],
  ["apply_patch_call", "operation"],
]);

/** Calls that the API makes and answers itself, in one item: what was asked, and what came of it. */
const HOSTED_CALLS: ReadonlyMap<unknown, readonly [asked: string, answered: string]> = new Map([
  ["web_search_call", ["action", "results"]],
  ["file_search_call", ["queries", "results"]],
  ["code_interpreter_call", ["code", "outputs"]],
  ["image_generation_call", ["prompt", "result"]],
  ["mcp_call", ["arguments", "output"]],
]);

/** Whether a list holds items that only the Responses API has: a typed message, a call, its output, reasoning. */
export function areResponseItems(list: unknown): list is SourceObject[] {
  return Array.isArray(list) && list.some(isResponseItem);
}

function isResponseItem(item: unknown): boolean {
  if (!isObject(item)) return false;
  const { type, content } = item;
  if (type === "reasoning") return Array.isArray(item.summary);
  if (type === "function_call_output" || type === "function_call") return typeof item.call_id === "string";
  if (CALLS.has(type) || HOSTED_CALLS.has(type)) return true;
  if (typeof item.role !== "string" || !Array.isArray(content)) return false;
  return content.some((block) => isObject(block) && (block.type === "input_text" || block.type === "output_text"));
}

/**
 * Items as a message list. Calls that follow one another, and the text before them, are one turn of the assistant;
 * `item` beside a call has what else its item says. Reasoning goes to the turn it led to, as `reasoning`.
 */
export function messagesOfItems(items: readonly unknown[]): ItemMessages {
  const reader = new ItemReader();
  for (const [index, item] of items.entries()) reader.read(item, index);
  return reader.told();
}

class ItemReader {
  readonly #messages: Message[] = [];
  readonly #others: ItemMessages["others"] = [];
  #reasoning: SourceObject[] = [];
  /** The assistant's turn that calls may still join. */
  #turn: Message | null = null;

  read(item: unknown, index: number): void {
    if (!isObject(item)) {
      this.#others.push({ index, item });
      return;
    }
    const { type } = item;
    const asked = CALLS.get(type);
    const hosted = HOSTED_CALLS.get(type);
    if (type === "reasoning") {
      this.#turn = null;
      this.#reasoning.push(item);
    } else if (asked !== undefined) this.#call(item, asked);
    else if (hosted !== undefined) this.#hostedCall(item, hosted);
    else if (typeof type === "string" && type.endsWith("_call_output")) this.#output(item);
    else if (typeof item.role === "string") this.#message(item as Message);
    else this.#others.push({ index, item });
  }

  told(): ItemMessages {
    // Reasoning that led to nothing was cut off; it is a turn without words.
    if (this.#reasoning.length > 0) this.#push({ role: "assistant", content: "" });
    return { messages: this.#messages, others: this.#others };
  }

  #message(item: Message): void {
    const refusal = refusalOf(item.content);
    const message = refusal === "" ? item : { ...item, refusal };
    this.#push(message);
    this.#turn = item.role === "assistant" ? this.#messages.at(-1)! : null;
  }

  #call(item: SourceObject, asked: string): void {
    const { [asked]: given, name, call_id: id, ...rest } = item;
    const called = typeof name === "string" ? name : toolOf(item);
    this.#pushCall(id ?? item.id, called, asked === "input" ? { input: given } : given, rest);
  }

  #hostedCall(item: SourceObject, [asked, answered]: readonly [string, string]): void {
    const { [asked]: given, [answered]: result, name, ...rest } = item;
    const isNamed = typeof name === "string";
    const wanted = isNamed || isObject(given) ? given : given === undefined ? {} : { [asked]: given };
    const tool = isNamed ? name : toolOf(item);
    this.#pushCall(item.id, tool, wanted, rest);
    // A list of results is data and no blocks of a message.
    const content = Array.isArray(result) ? textOrJson(result) : (result ?? { status: item.status ?? null });
    const answer: Message = { role: "tool", name: tool, content };
    if (typeof item.id === "string") answer.tool_call_id = item.id;
    const { error } = item;
    if (error !== undefined && error !== null) answer.error = isObject(error) ? error : { message: textOrJson(error) };
    this.#push(answer);
  }

  #output(item: SourceObject): void {
    const { output, call_id: id, ...rest } = item;
    const answered = id ?? item.id;
    const message: Message = { ...rest, role: "tool", content: output };
    if (typeof answered === "string") message.tool_call_id = answered;
    this.#push(message);
  }

  #pushCall(id: unknown, name: string, given: unknown, item: SourceObject): void {
    const call = { id, type: "function", function: { name, arguments: given }, item };
    if (this.#turn === null) {
      this.#push({ role: "assistant", content: "" });
      this.#turn = this.#messages.at(-1)!;
    }
    const calls = Array.isArray(this.#turn.tool_calls) ? this.#turn.tool_calls : [];
    this.#turn.tool_calls = [...calls, call];
  }

  #push(message: Message): void {
    const isReasoned = message.role === "assistant" && this.#reasoning.length > 0;
    // A copy: calls will be added to it.
    this.#messages.push(isReasoned ? { ...message, reasoning: this.#reasoning } : { ...message });
    if (isReasoned) this.#reasoning = [];
    this.#turn = null;
  }
}

/** What a message says, whatever ids and states its items were given. */
export function itemMessageKey({ role, content, tool_calls: calls, tool_call_id: id }: Message): string {
  const blocks = Array.isArray(content) ? content : [{ text: content }];
  const said = blocks.map((block) => (isObject(block) && typeof block.text === "string" ? block.text : block));
  const called = Array.isArray(calls) ? calls.map((call) => (isObject(call) ? [call.id, call.function] : call)) : [];
  return pyJson([role, said, called, id], { sortKeys: true });
}

/** `web_search` for a `web_search_call`. */
function toolOf({ type }: SourceObject): string {
  return textOf(type).replace(/_call$/, "");
}

function refusalOf(content: unknown): string {
  if (!Array.isArray(content)) return "";
  const refusals = content.filter((block) => isObject(block) && block.type === "refusal");
  return refusals.map(({ refusal }) => textOrJson(refusal)).join("\n");
}

function textOrJson(value: unknown): string {
  return typeof value === "string" ? value : pyJson(value, { ascii: false });
}

import { isObject } from "../is-object.ts";
import { parseEmbeddedJson } from "../json/json-text.ts";
import type { Message, Step } from "../row.ts";
import { pyJson } from "../text/python-json.ts";
import { blockText, textOfBlock } from "./block-text.ts";
import { toolCalls } from "./tool-calls.ts";

/** Stands for the name of a tool that neither its call nor its answer names. */
const UNKNOWN_TOOL = "unknown";

/** A message list told as a row tells it. */
export interface RowConversation {
  /** The first user text; "" when nobody asked. */
  prompt: string;
  /** What the agent said before it; "" when the user began. */
  opener: string;
  /** System and developer texts, joined by a blank line. */
  system: string;
  steps: Step[];
  /** The last assistant text. */
  final_text: string;
  /**
   * What was met and is not in the other fields, or was put somewhere by a rule, with counts: `block:image`,
   * `role:critic`, `not_a_message`, `unreadable_call`, `orphan_answer`, `ask_after_steps`.
   */
  notes: Map<string, number>;
}

/**
 * Reads a message list (OpenAI chat, Anthropic blocks, or a mixture) into the fields of a row; `conversation` is the
 * way back. Tool answers find their call by id, then by tool name, then by order; results are parsed as JSON only
 * when they begin with `{` or `[`, so that the order number `4473` stays text.
 *
 * Steps keep the call's `id`, and `raw_arguments` beside `arguments: {}` where the arguments could not be read.
 * Linear in the number of messages.
 */
export function fromMessages(messages: readonly Message[]): RowConversation {
  const reader = new ConversationReader();
  for (const message of messages) reader.read(message);
  return reader.told();
}

class ConversationReader {
  private readonly system: string[] = [];
  private readonly steps: Step[] = [];
  private readonly open = new OpenCalls();
  private readonly notes = new Map<string, number>();
  private prompt = "";
  private opener = "";
  private finalText = "";

  read(message: unknown): void {
    if (!isObject(message) || typeof message.role !== "string") {
      this.note("not_a_message");
      return;
    }
    switch (message.role) {
      case "system":
      case "developer":
        this.readSystem(message);
        break;
      case "user":
        this.readUser(message);
        break;
      case "assistant":
        this.readAssistant(message as Message);
        break;
      case "tool":
      case "function":
        this.answer(message.tool_call_id, message.name ?? message.function, message);
        break;
      default:
        this.note(`role:${message.role}`);
    }
  }

  told(): RowConversation {
    return {
      prompt: this.prompt,
      opener: this.opener,
      system: this.system.join("\n\n"),
      steps: this.steps,
      final_text: this.finalText,
      notes: this.notes,
    };
  }

  private readSystem({ content }: Record<string, unknown>): void {
    const text = this.textOfTurn(content);
    if (text !== "") this.system.push(text);
  }

  private readUser({ content }: Record<string, unknown>): void {
    if (Array.isArray(content)) {
      for (const block of content) {
        if (isToolResult(block)) this.answer(block.tool_use_id, undefined, block);
      }
    }
    const text = this.textOfTurn(content);
    if (text === "") return;
    if (this.prompt !== "") {
      this.steps.push({ user: text });
      return;
    }
    this.prompt = text;
    if (this.steps.length > 0) this.note("ask_after_steps");
  }

  private readAssistant(message: Message): void {
    const said = this.textOfTurn(message.content);
    const refusal = typeof message.refusal === "string" ? message.refusal : "";
    const text = said !== "" && refusal !== "" ? `${said}\n${refusal}` : said || refusal;
    const calls = toolCalls(message);
    for (const [index, call] of calls.entries()) {
      const step: Step = { tool: call.name || UNKNOWN_TOOL, arguments: call.arguments };
      if (index === 0 && text !== "") step.text = text;
      if (call.id !== undefined) step.id = call.id;
      if (call.parseError !== undefined) {
        step.raw_arguments = call.raw ?? "";
        this.note("unreadable_call");
      }
      this.steps.push(step);
      this.open.add(step);
    }
    if (text === "") return;
    this.finalText = text;
    if (calls.length > 0) return;
    if (this.prompt === "" && this.opener === "" && this.steps.length === 0) this.opener = text;
    else this.steps.push({ text });
  }

  private answer(id: unknown, name: unknown, message: Record<string, unknown>): void {
    let step = this.open.take(id, name);
    if (step === undefined) {
      step = { tool: typeof name === "string" && name !== "" ? name : UNKNOWN_TOOL, arguments: {} };
      this.steps.push(step);
      this.note("orphan_answer");
    }
    step.result = this.resultOf(message);
  }

  private resultOf(message: Record<string, unknown>): unknown {
    const { content } = message;
    const structured = isObject(content) || (Array.isArray(content) && !content.every(isBlock));
    const text = structured ? pyJson(content, { ascii: false }) : this.textOfTurn(content);
    const result = structured ? content : parsedResult(text);
    const error = errorOf(message);
    if (error === null) return result;
    if (!isObject(result)) return { error: text || error || "error", status: "error" };
    return { ...result, error: result.error ?? (error || true), status: result.status ?? "error" };
  }

  /** The text of a turn's content; blocks that are neither text nor read elsewhere are counted by kind. */
  private textOfTurn(content: unknown): string {
    if (Array.isArray(content)) {
      for (const block of content) {
        if (textOfBlock(block) !== null || isToolResult(block) || isToolUse(block)) continue;
        this.note(`block:${isObject(block) && typeof block.type === "string" ? block.type : typeof block}`);
      }
    }
    return blockText(content);
  }

  private note(what: string): void {
    this.notes.set(what, (this.notes.get(what) ?? 0) + 1);
  }
}

/** Calls that wait for their answer, found by id, by tool or by age without a search. */
class OpenCalls {
  private readonly waiting = new Set<Step>();
  private readonly byId = new Map<string, Step>();
  private readonly byName = new Map<string, Queue>();
  private readonly byAge = new Queue();

  add(step: Step): void {
    this.waiting.add(step);
    this.byAge.items.push(step);
    if (typeof step.id === "string") this.byId.set(step.id, step);
    const name = String(step.tool);
    let named = this.byName.get(name);
    if (named === undefined) {
      named = new Queue();
      this.byName.set(name, named);
    }
    named.items.push(step);
  }

  take(id: unknown, name: unknown): Step | undefined {
    const step = this.withId(id) ?? this.withName(name) ?? this.byAge.oldest(this.waiting);
    if (step !== undefined) this.waiting.delete(step);
    return step;
  }

  private withId(id: unknown): Step | undefined {
    const step = typeof id === "string" ? this.byId.get(id) : undefined;
    return step !== undefined && this.waiting.has(step) ? step : undefined;
  }

  private withName(name: unknown): Step | undefined {
    return typeof name === "string" ? this.byName.get(name)?.oldest(this.waiting) : undefined;
  }
}

/** A queue whose items may be taken elsewhere; passing over those costs each item one look in all. */
class Queue {
  readonly items: Step[] = [];
  private head = 0;

  oldest(waiting: ReadonlySet<Step>): Step | undefined {
    for (; this.head < this.items.length; this.head++) {
      const step = this.items[this.head]!;
      if (waiting.has(step)) return step;
    }
    return undefined;
  }
}

/** Text in braces or brackets that is no JSON stays the text it is. */
function parsedResult(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return parseEmbeddedJson(text);
  } catch {
    return text;
  }
}

/**
 * null when the answer is no error; else what the error says, or "" when it only says that it is one: `is_error`
 * (Anthropic), `error: true` (tau2), an `error` object (Inspect).
 */
function errorOf({ is_error: flag, error }: Record<string, unknown>): string | null {
  if (isObject(error)) return typeof error.message === "string" ? error.message : pyJson(error, { ascii: false });
  return flag === true || error === true ? "" : null;
}

function isBlock(value: unknown): boolean {
  return typeof value === "string" || (isObject(value) && typeof value.type === "string");
}

function isToolResult(block: unknown): block is Record<string, unknown> {
  return isObject(block) && block.type === "tool_result";
}

function isToolUse(block: unknown): block is Record<string, unknown> {
  return isObject(block) && block.type === "tool_use";
}

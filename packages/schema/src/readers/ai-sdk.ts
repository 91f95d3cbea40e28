import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message, Row, ToolSchema } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { isAiSdkMessage, messagesOfAiSdk } from "./ai-sdk-messages.ts";
import { chatRow, contextOf, imported, isMessages } from "./chat-row.ts";
import type { Format, FormatReader, ReaderContext } from "./format.ts";
import { saysItIsARow } from "./says-it-is-a-row.ts";
import { rescored } from "./scored.ts";

/**
 * Messages of the AI SDK, versions 4 and 5: UI messages with `parts` or `toolInvocations`, and messages for a model with
 * `tool-call` and `tool-result` parts. A record is a chat with its `messages`; or a file is a list of messages, which
 * are one chat, or one for each `chatId` where they have it.
 */
export const aiSdk: Format = {
  name: "ai-sdk",
  title: "messages of the AI SDK",
  detect: (record) =>
    !saysItIsARow(record) &&
    (Array.isArray(record.messages) ? record.messages.some(isAiSdkMessage) : isBareMessage(record)),
  open: (context) => new AiSdkReader(context),
};

/** Who speaks in a list of messages that is a file. */
const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool", "data"]);

/** Keys of other spellings. */
const FOREIGN_KEYS = ["tool_calls", "tool_call_id", "function_call", "type", "prompt", "steps", "final_text"];

/** Names of the chat that a message belongs to. */
const CHAT_KEYS = ["chatId", "chat_id", "threadId", "thread_id", "conversationId", "conversation_id"];

class AiSdkReader implements FormatReader {
  readonly #context: ReaderContext;
  /** Messages that stand in the file by themselves, of one chat. */
  #chat: SourceObject[] = [];
  /** The rows of the record before, where it was a chat. */
  #waiting: readonly Row[] = [];

  constructor(context: ReaderContext) {
    this.#context = context;
  }

  read(record: SourceObject): readonly Row[] {
    if (!isBareMessage(record)) {
      const rows = this.#rows(record);
      const before = this.held();
      this.#waiting = rows;
      return before;
    }
    const goesOn = this.#chat.length > 0 && chatOf(this.#chat[0]!) === chatOf(record);
    const before = goesOn ? [] : this.held();
    this.#chat.push(record);
    return before;
  }

  held(): readonly Row[] {
    const rows = this.#waiting;
    const chat = this.#chat;
    this.#waiting = [];
    this.#chat = [];
    if (chat.length === 0) return rows;
    const key = CHAT_KEYS.find((name) => chat[0]![name] !== undefined);
    return this.#rows({ ...(key === undefined ? {} : { [key]: chat[0]![key] }), messages: chat });
  }

  #rows({ messages, tools, system, ...rest }: SourceObject): Row[] {
    if (!isMessages(messages)) {
      throw new SchemaError("bad_value", "messages is no list of messages with a role.", "Write [{role, parts}, …].");
    }
    const rules: Message[] = typeof system === "string" && system !== "" ? [{ role: "system", content: system }] : [];
    const told = [...rules, ...messages.flatMap(messagesOfAiSdk)];
    const row = { ...chatRow(told, "ai-sdk", this.#context), ...toolsOf(tools) };
    const asked = contextOf(told).map(({ role, content }) => ({ role, content }));
    const whole = rescored(imported(row, rest, asked, "ai-sdk", this.#context), this.#context.options);
    if (typeof rest.finishReason === "string") whole.finish_reason ??= rest.finishReason.replaceAll("-", "_");
    return [whole];
  }
}

function isBareMessage(record: SourceObject): boolean {
  if (!ROLES.has(record.role) || FOREIGN_KEYS.some((key) => key in record)) return false;
  return isAiSdkMessage(record) || typeof record.content === "string" || Array.isArray(record.content);
}

function chatOf(message: SourceObject): unknown {
  const key = CHAT_KEYS.find((name) => message[name] !== undefined);
  return key === undefined ? null : message[key];
}

/** A list of schemas, or schemas by name. */
function toolsOf(tools: unknown): Pick<Row, "tools"> {
  if (Array.isArray(tools)) return { tools: tools.map((tool) => functionSchema(tool)) };
  if (!isObject(tools)) return {};
  return { tools: Object.entries(tools).map(([name, tool]) => functionSchema(tool, name)) };
}

function functionSchema(tool: unknown, known?: string): ToolSchema {
  if (!isObject(tool) || isObject(tool.function)) return tool as ToolSchema;
  const { name = known, description, inputSchema, parameters = inputSchema, type, ...more } = tool;
  if (typeof name !== "string") return tool as ToolSchema;
  return {
    type: "function",
    function: { name, ...(typeof description === "string" ? { description } : {}), parameters },
    ...(Object.keys(more).length > 0 || (type !== undefined && type !== "function")
      ? { ai_sdk: { type, ...more } }
      : {}),
  };
}

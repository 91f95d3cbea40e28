import { blockText } from "../conversation/block-text.ts";
import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message, ToolSchema } from "../row.ts";
import { pyJson } from "../text/python-json.ts";

/**
 * A message as others read it. Tools that run at the provider are called and answered within one assistant message;
 * it is cut behind each answer, and call and answer are spelled like those of any other tool, with `server_type` for
 * the block they were. Every other message stays as it is.
 */
export function withServerToolsApart(message: Message): Message[] {
  const { content, ...envelope } = message;
  if (!Array.isArray(content) || !content.some((block) => isServerCall(block) || isServerAnswer(block))) {
    return [message];
  }
  const messages: Message[] = [];
  let turn: unknown[] = [];
  const close = () => {
    if (turn.length > 0) messages.push({ ...envelope, content: turn });
    turn = [];
  };
  for (const block of content) {
    if (!isServerAnswer(block)) {
      turn.push(isServerCall(block) ? { ...block, type: "tool_use", server_type: block.type } : block);
      continue;
    }
    close();
    messages.push({ role: "user", content: [asToolResult(block)] });
  }
  close();
  return messages;
}

/**
 * A message without what may change when it is sent again: hints for the cache, thinking, and whether a lone text
 * stands in a block.
 */
export function messageKey({ role, content }: Message): string {
  const blocks = Array.isArray(content) ? content : [{ type: "text", text: content }];
  return pyJson([role, blocks.filter((block) => !isThinking(block)).map(withoutCacheHint)], { sortKeys: true });
}

/** The same message or rules without hints for the cache, which say nothing about the task. */
export function withoutCacheHints(message: Message): Message {
  return Array.isArray(message.content) ? { ...message, content: message.content.map(withoutCacheHint) } : message;
}

/** Tools in the spelling of function schemas; those that run at the provider have no schema and stay as they are. */
export function functionSchemas(tools: readonly unknown[]): ToolSchema[] {
  return tools.map((tool) => {
    if (!isObject(tool) || !("input_schema" in tool)) return tool as ToolSchema;
    const { name, description, input_schema: parameters, ...more } = tool;
    const schema: ToolSchema = {
      type: "function",
      function: {
        ...(typeof name === "string" ? { name } : {}),
        ...(typeof description === "string" ? { description } : {}),
        parameters,
      },
    };
    return Object.keys(more).length === 0 ? schema : { ...schema, anthropic: more };
  });
}

/** The answer of a server tool is data; where it has no text it is read as the JSON it is. */
function asToolResult(block: SourceObject): SourceObject {
  const { type, content } = block;
  const isData = Array.isArray(content) && content.length > 0 && blockText(content) === "";
  const failed = isObject(content) && typeof content.error_code === "string" ? { is_error: true } : {};
  const result = isData ? pyJson(content, { ascii: false }) : content;
  return { ...block, type: "tool_result", content: result, server_type: type, ...failed };
}

function isServerCall(block: unknown): block is SourceObject {
  return isObject(block) && (block.type === "server_tool_use" || block.type === "mcp_tool_use");
}

/** `web_search_tool_result`, `code_execution_tool_result`, `mcp_tool_result` and the like. */
function isServerAnswer(block: unknown): block is SourceObject {
  return isObject(block) && typeof block.type === "string" && block.type.endsWith("_tool_result");
}

function isThinking(block: unknown): boolean {
  return isObject(block) && (block.type === "thinking" || block.type === "redacted_thinking");
}

function withoutCacheHint(block: unknown): unknown {
  if (!isObject(block)) return block;
  const { cache_control: _, content, ...rest } = block;
  if (content === undefined) return rest;
  return { ...rest, content: Array.isArray(content) ? content.map(withoutCacheHint) : content };
}

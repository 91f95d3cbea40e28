import { isObject } from "../is-object.ts";
import type { Message } from "../row.ts";
import { textOf } from "../text/text-of.ts";
import { jsonOf } from "./message-value.ts";

/**
 * Messages whose parts are attributes of their own: `0.message.role` (OpenInference) or `0.role` (OpenLLMetry), each
 * with the calls of tools numbered in the same way.
 *
 * @param attributes Behind the name of the list: `0.role`, `0.content`, `1.role`, …
 */
export function indexedMessages(attributes: ReadonlyMap<string, unknown>): Message[] {
  return numbered(attributes, "").map((fields) => {
    const of = (key: string) => fields.get(`message.${key}`) ?? fields.get(key);
    const message: Message = { role: textOf(of("role")) || "assistant", content: contentOf(fields) };
    const calls = [...numbered(fields, "message.tool_calls."), ...numbered(fields, "tool_calls.")].map(callOf);
    if (calls.length > 0) message.tool_calls = calls;
    for (const key of ["name", "tool_call_id", "finish_reason"]) {
      const value = of(key);
      if (value !== undefined && value !== null && value !== "") message[key] = textOf(value);
    }
    return message;
  });
}

/** The maps under `<prefix>0.`, `<prefix>1.`, … in the order of the numbers. */
function numbered(fields: ReadonlyMap<string, unknown>, prefix: string): Map<string, unknown>[] {
  const items = new Map<number, Map<string, unknown>>();
  for (const [key, value] of fields) {
    if (!key.startsWith(prefix)) continue;
    const [, index, rest] = /^(\d+)\.(.+)$/.exec(key.slice(prefix.length)) ?? [];
    if (rest === undefined) continue;
    const item = items.get(Number(index)) ?? new Map<string, unknown>();
    item.set(rest, value);
    items.set(Number(index), item);
  }
  return [...items].sort(([a], [b]) => a - b).map(([, item]) => item);
}

function contentOf(fields: ReadonlyMap<string, unknown>): unknown {
  const blocks = numbered(fields, "message.contents.").map((block) => {
    const type = textOf(block.get("message_content.type")) || "text";
    return type === "text"
      ? { type, text: textOf(block.get("message_content.text")) }
      : { ...Object.fromEntries(block), type };
  });
  if (blocks.length > 0) return blocks;
  const content = fields.get("message.content") ?? fields.get("content") ?? "";
  // Blocks of content are JSON text here.
  const parsed = jsonOf(content);
  const areBlocks = Array.isArray(parsed) && parsed.length > 0 && parsed.every(isBlock);
  return areBlocks ? parsed : textOf(content);
}

function isBlock(value: unknown): boolean {
  return isObject(value) && typeof value.type === "string";
}

function callOf(fields: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const of = (key: string) =>
    fields.get(`tool_call.function.${key}`) ?? fields.get(`function.${key}`) ?? fields.get(key);
  const id = fields.get("tool_call.id") ?? fields.get("id");
  const call = { type: "function", function: { name: textOf(of("name")), arguments: of("arguments") ?? {} } };
  return id === undefined || id === null || id === "" ? call : { id: textOf(id), ...call };
}

import { isObject, textOf } from "@while/schema";
import type { ModelToolCall } from "../agent/model.ts";

const TAGGED = /<tool_call>([\s\S]*?)<\/tool_call>/g;

/**
 * The calls that a model wrote as text, for servers that do not read them out themselves: the JSON between `<tool_call>`
 * tags, or behind each opening tag when none is closed. Blocks that are no JSON are left out; ids count the blocks.
 */
export function parseTextToolCalls(text: string): ModelToolCall[] {
  if (!text.includes("<tool_call>")) return [];
  const closed = [...text.matchAll(TAGGED)].map(([, block]) => block!);
  const blocks = closed.length > 0 ? closed : text.split("<tool_call>").slice(1);
  return blocks.flatMap((block, index): ModelToolCall[] => {
    const call = jsonIn(block.replace(/,\s*,/g, ","));
    if (!isObject(call)) return [];
    const name = textOf(call.name ?? call.tool);
    if (name === "") return [];
    const given = call.arguments ?? call.args ?? {};
    const read = typeof given === "string" ? jsonIn(given) : given;
    return [{ id: `call_${index}`, name, arguments: JSON.stringify(isObject(read) ? read : {}) }];
  });
}

/** The words around the calls. */
export function withoutTextToolCalls(text: string): string {
  const rest = text.replace(TAGGED, "");
  const open = rest.indexOf("<tool_call>");
  return (open < 0 ? rest : rest.slice(0, open)).trim();
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Words that only look like a call.
  }
}

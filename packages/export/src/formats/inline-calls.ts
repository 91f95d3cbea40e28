import type { ToolSchema } from "@while/schema";
import { argumentTree } from "../conversation/argument-text.ts";
import { jsonText, newTextCounts } from "../json/json-text.ts";
import type { WireCall, WireMessage } from "../training-row.ts";

/** A message of text alone. */
export interface TextMessage {
  role: WireMessage["role"];
  content: string;
}

/**
 * A conversation with its calls and schemas written into the text, for trainers that drop or respell structured ones.
 * The words are those that the chat templates of Qwen2.5 and Qwen3 (Hermes) write themselves, so that such a template
 * renders the same bytes from both; a base of another dialect learns a spelling that its template never writes.
 */
export function inlineCalls(messages: readonly WireMessage[], tools: readonly ToolSchema[] = []): TextMessage[] {
  const texts: TextMessage[] = [];
  let behindAnswer = false;
  for (const { role, content, tool_calls: calls } of messages) {
    if (role === "tool") {
      const answer = `<tool_response>\n${content}\n</tool_response>`;
      // Answers of one turn are one message of the user's.
      if (behindAnswer) texts.at(-1)!.content += `\n${answer}`;
      else texts.push({ role: "user", content: answer });
      behindAnswer = true;
      continue;
    }
    behindAnswer = false;
    texts.push({ role, content: calls === undefined ? content : withCalls(content, calls) });
  }
  if (tools.length === 0) return texts;
  const [first, ...rest] = texts;
  if (first?.role !== "system") return [{ role: "system", content: toolsText(tools) }, ...texts];
  return [{ role: "system", content: `${first.content}\n\n${toolsText(tools)}` }, ...rest];
}

function withCalls(content: string, calls: readonly WireCall[]): string {
  const written = calls.map(({ function: { name, arguments: given } }) => {
    return `<tool_call>\n${json({ name, arguments: argumentTree(given) })}\n</tool_call>`;
  });
  return [...(content === "" ? [] : [content]), ...written].join("\n");
}

function toolsText(tools: readonly ToolSchema[]): string {
  return [
    "# Tools\n\nYou may call one or more functions to assist with the user query.\n",
    "You are provided with function signatures within <tools></tools> XML tags:\n<tools>",
    ...tools.map(json),
    "</tools>\n",
    "For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:",
    '<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>',
  ].join("\n");
}

function json(value: unknown): string {
  return jsonText(value, ", ", newTextCounts());
}

import { isObject, type Message, type Row, stepsOf, type ToolCall, textOf, toolCalls } from "@while/schema";

/**
 * The tool calls of a whole row, in order: those of its assistant messages, in any spelling that `toolCalls` reads, else
 * those of its steps. A call whose arguments cannot be read is there with `parseError`.
 */
export function rowToolCalls(row: Row): readonly ToolCall[] {
  const messages = Array.isArray(row.messages) ? row.messages.filter(isObject) : [];
  const called = (messages as Message[]).filter(({ role }) => role === "assistant").flatMap(toolCalls);
  if (called.length > 0) return called;
  const flat = stepsOf(row)
    .filter(({ tool }) => textOf(tool) !== "")
    .map(({ tool, arguments: given, id }) => ({ name: textOf(tool), arguments: given, id }));
  return toolCalls({ role: "assistant", tool_calls: flat });
}

import { type Message, type Row, type Step, textOf } from "@while/schema";

/**
 * A copy of the row with another last reply: as final text, as the last message of the assistant, and, where a row tells
 * its turns by steps, as the step that says it.
 */
export function withReply(row: Row, edit: (reply: string) => string): Row {
  const before = textOf(row.final_text);
  const copy: Row = { ...row, final_text: edit(before) };
  if (Array.isArray(row.messages)) copy.messages = withLastTurn(row.messages, edit);
  if (Array.isArray(row.steps) && before !== "") {
    const at = row.steps.findLastIndex((step) => textOf(step?.text) === before);
    if (at >= 0) copy.steps = row.steps.with(at, { ...row.steps[at]!, text: edit(before) });
  }
  return copy;
}

/** The same with what the agent did: a judge that counts calls is to see these. */
export function withConduct(row: Row, reply: string, steps: Step[]): Row {
  const copy = withReply({ ...row, steps }, () => reply);
  if ("tool_trace" in row) copy.tool_trace = steps;
  return { ...copy, steps };
}

function withLastTurn(messages: readonly Message[], edit: (reply: string) => string): Message[] {
  const at = messages.findLastIndex((message) => message?.role === "assistant");
  if (at < 0) return [...messages];
  const { content } = messages[at]!;
  return messages.with(at, { ...messages[at]!, content: edit(typeof content === "string" ? content : "") });
}

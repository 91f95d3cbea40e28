import { blockText, messagesOf, type Row, toolCalls } from "@while/schema";

/** One line of a conversation as a person reads it. */
export interface Turn {
  /** The role as the row has it, `call` for what the agent asked a tool, `result` for what came back. */
  who: string;
  text: string;
  /** It is code and not speech. */
  code: boolean;
}

/** What a row's conversation says, turn by turn, however the row tells it. */
export function turnsOf(row: Readonly<Record<string, unknown>>): Turn[] {
  const turns: Turn[] = [];
  for (const message of messagesOf(row as Row)) {
    const said = contentText(message.content);
    if (said !== "") {
      const isResult = message.role === "tool";
      turns.push({ who: isResult ? "result" : message.role, text: said, code: isResult });
    }
    for (const call of toolCalls(message)) {
      const given = call.raw ?? JSON.stringify(call.arguments);
      turns.push({ who: "call", text: `${call.name}(${given})`, code: true });
    }
  }
  return turns;
}

/** Blocks without a text, such as images, are said to be there by their kind. */
function contentText(content: unknown): string {
  if (content === null || content === undefined) return "";
  const text = blockText(content);
  if (text !== "" || typeof content === "string") return text;
  const kinds = (Array.isArray(content) ? content : [content]).flatMap((block: unknown) =>
    typeof block === "object" && block !== null && "type" in block && block.type !== "tool_use"
      ? [`[${String(block.type)}]`]
      : [],
  );
  return kinds.join(" ");
}

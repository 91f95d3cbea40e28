import { assistantText } from "../conversation/assistant-text.ts";
import { blockText } from "../conversation/block-text.ts";
import { messagesOf } from "../conversation/conversation.ts";
import { toolCalls } from "../conversation/tool-calls.ts";
import { isObject } from "../is-object.ts";
import type { Message, Row } from "../row.ts";
import { normText } from "../text/norm-text.ts";
import { textOf } from "../text/text-of.ts";

/** What of the agent's a text stood in: what it said, what it wrote into a tool call, or what it thought. */
export type LeakCarrier = "reply" | "arguments" | "reasoning";

/** A text of the agent's, in normal form. */
export interface Said {
  carrier: LeakCarrier;
  text: string;
}

/** One message of a row, as what the agent heard or what it said. In normal form. */
export interface Turn {
  heard: string[];
  said: Said[];
}

/** Everything the agent said, a text a carrier: the reply as `assistantText` has it, then arguments, then thoughts. */
export function saidIn(row: Row): Said[] {
  const said: Said[] = [{ carrier: "reply", text: normText(assistantText(row)) }];
  const own = messagesOf(row).filter((message) => message?.role === "assistant");
  for (const carrier of ["arguments", "reasoning"] as const) {
    const texts = own.flatMap((message) => (carrier === "arguments" ? argumentTexts(message) : thoughts(message)));
    if (texts.length > 0) said.push({ carrier, text: normText(texts.join("\n")) });
  }
  return said;
}

/** What was heard and said, in order: the system prompt and the prompt first. */
export function turnsOf(row: Row): Turn[] {
  const turns: Turn[] = [{ heard: [normText(textOf(row.system_prompt)), normText(textOf(row.prompt))], said: [] }];
  for (const message of messagesOf(row)) {
    const text = normText(blockText(message?.content));
    if (message?.role !== "assistant") turns.push({ heard: [text], said: [] });
    else {
      const said: Said[] = [{ carrier: "reply", text }];
      for (const part of argumentTexts(message)) said.push({ carrier: "arguments", text: normText(part) });
      for (const part of thoughts(message)) said.push({ carrier: "reasoning", text: normText(part) });
      turns.push({ heard: [], said });
    }
  }
  return turns;
}

/** Every text and number in the arguments of a message's calls. */
function argumentTexts(message: Message): string[] {
  const texts: string[] = [];
  for (const call of toolCalls(message)) {
    if (call.parseError !== undefined && call.raw !== undefined) texts.push(call.raw);
    else collect(call.arguments, texts);
  }
  return texts;
}

function collect(value: unknown, into: string[]): void {
  if (typeof value === "string" || typeof value === "number") into.push(String(value));
  else if (Array.isArray(value)) for (const item of value) collect(item, into);
  else if (isObject(value)) for (const item of Object.values(value)) collect(item, into);
}

/** Where servers and SDKs put what a model thinks: two fields of the message, and two kinds of block. */
function thoughts(message: Message): string[] {
  const texts = [textOf(message.reasoning_content), textOf(message.reasoning)];
  for (const block of Array.isArray(message.content) ? message.content : []) {
    if (!isObject(block)) continue;
    if (block.type === "thinking") texts.push(textOf(block.thinking));
    if (block.type === "reasoning") texts.push(textOf(block.text));
  }
  return texts.filter((text) => text !== "");
}

import { blockText } from "../conversation/block-text.ts";
import { parseEmbeddedJson } from "../json/json-text.ts";
import type { Message, Row } from "../row.ts";
import { apartFromRules, isMessages, lineageOf } from "./chat-row.ts";
import type { ReaderContext } from "./format.ts";

/**
 * A row from one request and its answer. Where the request is a chat, its last user turn is the ask: what comes before
 * are examples with their answers, which the agent did not give, so they stay in `messages` and are no steps.
 */
export function promptedRow(
  asked: string | readonly Message[],
  answer: string,
  importer: string,
  context: ReaderContext,
): Row {
  const lineage = lineageOf(importer, context, "eval");
  if (typeof asked === "string") return { prompt: asked, steps: [], final_text: answer, lineage };
  const { said, rules } = apartFromRules(asked);
  const ask = said.findLast(({ role }) => role === "user");
  const messages = answer === "" ? [...said] : [...said, { role: "assistant", content: answer }];
  return { prompt: blockText(ask?.content), steps: [], final_text: answer, messages, lineage, ...rules };
}

/** The chat in a prompt that is JSON text of one; null for any other text. */
export function chatInText(text: string): readonly Message[] | null {
  if (!/^\s*\[\s*\{/.test(text)) return null;
  let value: unknown;
  try {
    value = parseEmbeddedJson(text);
  } catch {
    return null; // A text that begins with brackets.
  }
  return isMessages(value) ? value : null;
}

import { blockText, isObject, type Row } from "@while/schema";
import { askAndReply } from "./ask-and-reply.ts";
import { toolCallCount } from "./features.ts";
import { endsUnfinished } from "./is-truncated.ts";
import { spokenMessages } from "./spoken-messages.ts";

/** A final text longer than this that stops without an ending is junk. */
export const TRUNCATED_REPLY_CHARS = 600;

const HTTP_ERROR = "(?:40\\d|41[0-8]|42[1-9]|431|451|50[0-8]|51[01]|52\\d|530)\\b";

/**
 * Texts that an HTTP client left in place of a reply. Only codes that exist, and at the start of a text only behind
 * a URL or before words that name the error: "450" and "500 rows match." are answers, which a rule that reads any
 * 4xx number (the Python SDK's) throws away.
 */
const INFRASTRUCTURE_STUB = new RegExp(
  `\\breturned ${HTTP_ERROR}|^https?://\\S+\\s+${HTTP_ERROR}|^${HTTP_ERROR}[\\s:,-]*(?:(?:client|server|http) error|` +
    "error|bad request|unauthorized|forbidden|not found|method not allowed|request timeout|too many requests|" +
    "internal server error|not implemented|bad gateway|service unavailable|gateway time-?out)",
  "i",
);

const STUCK = /(.)\1{29}/u;

const HARNESS_WORDS = /<user_turn>|scene brief|scenario_dimensions|world_state|situation card|region_id/i;

const SCHEMA_KEYS = ['"name"', '"description"', '"parameters"'];
const SCHEMA_SPAN = 500;

/**
 * Is this row no finished attempt, whatever its label says? An empty reply, an error in place of one, text that got
 * stuck, words of the harness, a raw tool call or a dumped schema, a long reply that stops mid-sentence (unless it is
 * already marked `overlong`), messages whose last word is not the agent's, or a question back to an ask of two
 * words at most.
 */
export function isIncompleteJunk(row: Row): boolean {
  const { ask, reply } = askAndReply(row);
  const text = reply.trim();
  if (text === "") return true;
  if (/^<agent error/i.test(text)) return true;
  const calls = toolCallCount(row);
  if (calls === 0 && INFRASTRUCTURE_STUB.test(text)) return true;
  if (STUCK.test(text) || HARNESS_WORDS.test(text)) return true;

  const messages = spokenMessages(row);
  if (isRawMachinery(text)) return true;
  for (const message of messages) {
    if (isObject(message) && message.role === "assistant" && isRawMachinery(blockText(message.content))) return true;
  }
  if (row.overlong !== true && endsUnfinished({ ...row, final_text: reply }, TRUNCATED_REPLY_CHARS + 1)) return true;
  if (messages.length === 0) return calls === 0;
  if (endsOnAnother(row)) return true;
  return calls === 0 && text.endsWith("?") && isScantAsk(ask);
}

/**
 * Nobody answered the last message. Asked only of a row that is messages and no steps: a recorded trajectory ends on
 * the goodbye of a simulated user, or on the call that closes the case. The Python SDK asks it of every list, and
 * drops all 200 rollouts of a published tau-bench run for it.
 */
function endsOnAnother({ messages, steps }: Row): boolean {
  if (!Array.isArray(messages) || (Array.isArray(steps) && steps.length > 0)) return false;
  const last = messages.at(-1);
  return isObject(last) && (last.role === "user" || last.role === "tool");
}

/** A tool call that the model wrote as text, or the schema of a tool. */
function isRawMachinery(text: string): boolean {
  if (text.includes("<tool_call>")) return true;
  if (!SCHEMA_KEYS.every((key) => text.includes(key))) return false;
  return SCHEMA_KEYS.some((first) => {
    for (let at = text.indexOf(first); at !== -1; at = text.indexOf(first, at + 1)) {
      const span = text.slice(at, at + SCHEMA_SPAN);
      if (SCHEMA_KEYS.every((key) => span.includes(key))) return true;
    }
    return false;
  });
}

/** One or two words. A row whose ask is not known says nothing about it. */
function isScantAsk(prompt: string): boolean {
  const ask = prompt.trim();
  return ask !== "" && ask.split(/\s+/).length <= 2;
}

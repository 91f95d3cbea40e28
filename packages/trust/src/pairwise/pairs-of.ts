import { blockText, isObject, type Row, textOf } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import type { Pair } from "./judge-pairs.ts";

export interface PairsOfOptions {
  /** Where they are from, for the sentence of a refusal. */
  file?: string;
}

/** What a file of pairs may hold on either side: a row, a conversation, or the reply alone. */
const SIDES = "a row, a list of messages, or a reply as text";

/**
 * Records of a file of pairs as pairs of rows: what `buildPreferencePairs` made (rows on both sides), what a preference
 * trainer reads (lists of messages, with the ask before them or in `prompt`), or two replies as text beside a `prompt`.
 * Other fields of the record stay on the pair.
 *
 * @throws TrustError `bad_pairs` with the place of the first record that is no pair
 */
export function pairsOf(records: readonly unknown[], { file }: PairsOfOptions = {}): Pair[] {
  return records.map((record, i) => {
    const { chosen, rejected } = isObject(record) ? record : {};
    const prompt = isObject(record) ? askOf(record.prompt) : null;
    const [one, other] = [sideOf(chosen, prompt), sideOf(rejected, prompt)];
    if (one !== null && other !== null) return { ...(record as object), chosen: one, rejected: other };
    const keys = isObject(record) ? Object.keys(record).slice(0, 5).join(", ") : "";
    const seen = isObject(record) ? `has ${keys === "" ? "no keys" : `the keys ${keys}`}` : "is no object";
    throw new TrustError(
      "bad_pairs",
      `Record ${i + 1}${file === undefined ? "" : ` of ${file}`} is no pair: it ${seen}.`,
      `Give every record a chosen and a rejected side, each ${SIDES}.`,
    );
  });
}

/** The ask: text, or the messages of a conversation. */
type Ask = string | readonly Message[] | null;
type Message = NonNullable<Row["messages"]>[number];

function askOf(prompt: unknown): Ask {
  return typeof prompt === "string" || isMessages(prompt) ? prompt : null;
}

function isMessages(value: unknown): value is Message[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

function sideOf(side: unknown, ask: Ask): Row | null {
  if (typeof side === "string") return { ...withAsk(ask), final_text: side };
  if (isMessages(side)) {
    const messages = [...(typeof ask === "string" || ask === null ? [] : ask), ...side];
    const reply = messages.findLast(({ role }) => role === "assistant");
    return { ...withAsk(ask ?? messages), messages, final_text: blockText(reply?.content) };
  }
  if (!isObject(side)) return null;
  const row = side as Row;
  return textOf(row.prompt) === "" ? { ...row, ...withAsk(ask) } : row;
}

/** The first thing that the user said. */
function withAsk(ask: Ask): Row {
  if (ask === null) return {};
  return { prompt: typeof ask === "string" ? ask : blockText(ask.find(({ role }) => role === "user")?.content) };
}

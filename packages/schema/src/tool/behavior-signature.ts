import { sha256Hex } from "../hash/sha256.ts";
import { isObject } from "../is-object.ts";
import type { Row, Step } from "../row.ts";
import { compareCodePoints } from "../text/code-points.ts";
import { splitWords } from "../text/norm-text.ts";
import { pyJson } from "../text/python-json.ts";
import { textOf } from "../text/text-of.ts";

/** Words that make a reply read as a refusal. */
const REFUSALS = ["can't", "cannot", "unable", "won't"];

/** Replies are compared by dozens of words, up to twelve dozen. */
const BUCKET_WORDS = 12;
const LAST_BUCKET = 12;

/**
 * 12 hex digits that two rollouts share when they did the same thing: the same tools with arguments of the same
 * provenance and the same result statuses, both or neither refusing, with replies of about the same length.
 */
export function behaviorSignature(row: Row): string {
  return sha256Hex(behaviorText(row)).slice(0, 12);
}

/**
 * The text under the signature: `((tool, ((argument, provenance), …), status), …), refused, bucket` as Python prints
 * the tuple, because the engine's stamps and the ties that selection breaks with them are hashes of that spelling.
 *
 * An argument is `absent` when blank, `user` when the prompt contains it, `derived` when an earlier result does, and
 * else `invented`.
 */
export function behaviorText(row: Row): string {
  const prompt = textOf(row.prompt).toLowerCase();
  const reply = textOf(row.final_text);
  const calls: string[] = [];
  let results = "";
  for (const step of row.steps ?? []) {
    if (!isObject(step) || textOf(step.tool) === "") continue;
    calls.push(tuple([pyRepr(textOf(step.tool)), provenances(step, prompt, results), pyRepr(statusOf(step.result))]));
    if (step.result !== undefined) results += `${pyJson(step.result).toLowerCase()}, `;
  }
  const refused = REFUSALS.some((word) => reply.toLowerCase().includes(word));
  const bucket = Math.min(Math.floor(splitWords(reply).length / BUCKET_WORDS), LAST_BUCKET);
  return tuple([tuple(calls), refused ? "True" : "False", String(bucket)]);
}

function provenances({ arguments: given }: Step, prompt: string, results: string): string {
  if (!isObject(given)) return "()";
  const names = Object.keys(given).sort(compareCodePoints);
  return tuple(names.map((name) => tuple([pyRepr(name), pyRepr(provenance(given[name], prompt, results))])));
}

function provenance(value: unknown, prompt: string, results: string): string {
  const text = textOf(value).toLowerCase();
  if (text.trim() === "") return "absent";
  if (prompt.includes(text)) return "user";
  return results.includes(text) ? "derived" : "invented";
}

function statusOf(result: unknown): string {
  if (isObject(result)) return textOf(result.status);
  if (typeof result !== "string" || !result.trimStart().startsWith("{")) return "";
  try {
    return textOf(JSON.parse(result).status);
  } catch {
    return ""; // Not JSON after all: text has no status.
  }
}

function tuple(items: readonly string[]): string {
  return items.length === 1 ? `(${items[0]},)` : `(${items.join(", ")})`;
}

/** A text as Python displays it. */
function pyRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return quote + text.replace(/[\\'\p{C}\p{Z}]/gu, (char) => escaped(char, quote)) + quote;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  [" ", " "],
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function escaped(char: string, quote: string): string {
  if (char === "'") return quote === "'" ? "\\'" : "'";
  const short = ESCAPES.get(char);
  if (short !== undefined) return short;
  const hex = char.codePointAt(0)!.toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, "0")}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

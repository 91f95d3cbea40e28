import { cutCodePoints, splitWords } from "@while/schema";
import type { JudgeFailure } from "./judge-failure.ts";
import { parsedObject, withoutFence } from "./reply-json.ts";

/** What a model's reply to a yes-or-no question of grading comes to. */
export interface JudgeReply {
  score: 0 | 1 | null;
  /** One line, 400 characters at most. */
  reason: string;
  /** Why there is no score; null when there is one. */
  failure: JudgeFailure | null;
}

/** Characters from the end of a reply among which the verdict is looked for; a model that says more says it before. */
const SEARCHED_CHARS = 20_000;
const REASON_CHARS = 400;
/** Closing braces, from the last, that are tried as the end of the verdict: prose holds a few. */
const TRIED_ENDS = 8;

/**
 * Reads the verdict of a reply, strictly: the last complete JSON object decides alone, and its `score` (or `reward`) has
 * to be the number 0 or 1. Text in its place, a key given twice and two that disagree are no verdict. Without an object a
 * bare 0 or 1 counts, and an object that was cut off behind its `score`. What stands in think blocks is not read.
 */
export function parseJudgeReply(reply: string): JudgeReply {
  const text = spokenPart(reply);
  if (text === "") return { score: null, reason: "", failure: "refusal" };
  const found = lastObject(text);
  if (found !== null) return verdictOf(found);
  if (text === "0" || text === "1") return { score: text === "1" ? 1 : 0, reason: "", failure: null };
  return { score: scoreOfCutObject(text), reason: "", failure: scoreOfCutObject(text) === null ? "unreadable" : null };
}

/** The text without what the model thought, and without a code fence around it. */
export function spokenPart(reply: string): string {
  const closed = reply.lastIndexOf("</think>");
  const rest = closed < 0 ? reply : reply.slice(closed + "</think>".length);
  const open = rest.indexOf("<think>");
  return withoutFence((open < 0 ? rest : rest.slice(0, open)).trim()).trim();
}

interface FoundObject {
  text: string;
  value: Record<string, unknown>;
}

/**
 * The last complete JSON object of a text; null where there is none. Read from its end, so that braces in the prose before
 * it do not matter and a long text takes no longer than it is long.
 */
export function lastObject(text: string): FoundObject | null {
  const searched = text.slice(-SEARCHED_CHARS);
  let end = searched.lastIndexOf("}");
  for (let tries = 0; end >= 0 && tries < TRIED_ENDS; tries++) {
    const start = openingBrace(searched, end);
    if (start >= 0) {
      const part = searched.slice(start, end + 1);
      const value = parsedObject(part);
      if (value !== null) return { text: part, value };
    }
    end = end === 0 ? -1 : searched.lastIndexOf("}", end - 1);
  }
  return null;
}

/** Where the brace stands that the one at `end` closes; -1 where there is none. */
function openingBrace(text: string, end: number): number {
  let depth = 0;
  let inString = false;
  for (let at = end; at >= 0; at--) {
    const unit = text[at];
    if (unit === '"' && !isEscaped(text, at)) inString = !inString;
    else if (inString) continue;
    else if (unit === "}") depth++;
    else if (unit === "{" && --depth === 0) return at;
  }
  return -1;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}

function verdictOf({ text, value }: FoundObject): JudgeReply {
  const reason = reasonIn(value);
  const none = (failure: JudgeFailure): JudgeReply => ({ score: null, reason, failure });
  if (hasKeyTwice(text)) return none("unreadable");
  const scores = [value.score, value.reward].filter((score) => score !== undefined);
  const [score] = scores;
  if (score === undefined) return none("no_reward");
  if (scores.length === 2 && scores[0] !== scores[1]) return none("unreadable");
  if (score === 0 || score === 1) return { score, reason, failure: null };
  return none(typeof score === "number" ? "out_of_range" : score === null ? "no_reward" : "unreadable");
}

/** An object's `reason` in one line. */
export function reasonIn({ reason }: Record<string, unknown>): string {
  return cutCodePoints(splitWords(typeof reason === "string" ? reason : "").join(" "), REASON_CHARS);
}

/** Whether an object's text names one of its own keys twice; a parser would take the last without a word. */
export function hasKeyTwice(text: string): boolean {
  const keys = new Set<string>();
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text[i];
    if (unit === "{" || unit === "[") depth++;
    else if (unit === "}" || unit === "]") depth--;
    if (unit !== '"') continue;
    const end = endOfString(text, i);
    if (depth === 1 && /^\s*:/.test(text.slice(end + 1, end + 20))) {
      const key: string = JSON.parse(text.slice(i, end + 1));
      if (keys.has(key)) return true;
      keys.add(key);
    }
    i = end;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return end;
}

/** The score of an object that was cut off: only where the digit is whole and is the only one. */
function scoreOfCutObject(text: string): 0 | 1 | null {
  const tail = text.slice(-SEARCHED_CHARS);
  if (!tail.includes("{")) return null;
  const found = [...tail.matchAll(/(?<!\\)"score"\s{0,9}:\s{0,9}([^\s,}]{0,9})\s{0,9}([,}]|$)/g)];
  const [only, second] = found;
  if (only === undefined || second !== undefined) return null;
  return only[1] === "1" ? 1 : only[1] === "0" ? 0 : null;
}

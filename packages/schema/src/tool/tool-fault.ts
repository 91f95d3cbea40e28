import { isObject } from "../is-object.ts";
import { textOf } from "../text/text-of.ts";

/** What the mock world writes where it garbles an answer. */
const GARBLE_MARK = /<<garbled|garbled resp/;

/** Other spellings of a fault, and the one reports use. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["denied", "deny"],
  ["permission_denied", "deny"],
  ["unauthorized", "deny"],
  ["blocked", "deny"],
  ["missing", "not_found"],
  ["entity missing", "not_found"],
  ["malformed_result", "malformed"],
  ["stale_result", "stale"],
  ["already_acted_on", "already_done"],
]);

/** Statuses that say the call did not do what it was asked, after aliases. */
const FAULTS: ReadonlySet<string> = new Set([
  "timeout",
  "deny",
  "malformed",
  "stale",
  "not_found",
  "already_done",
  "error",
  "rejected",
  "failed",
  "invalid",
]);

/**
 * What went wrong with a tool call, read off its result: "" when nothing did, else one word such as `timeout`,
 * `deny`, `malformed`, `stale`, `not_found`, `already_done`, `error`, `503` or `exit_2`. The one classifier of every
 * package: engine, selection and trace flags must not disagree on what a fault is.
 *
 * Text is read when it is a JSON object; other text is no fault, whatever it says. `{error: null, …}`, the usual
 * envelope of a success, is none either, and a status that is not in the list (`paid`, `open`) is the tool's own word.
 */
export function toolFault(result: unknown): string {
  const answer = typeof result === "string" ? parsedObject(result) : result;
  if (!isObject(answer)) return "";
  if (holdsGarble(answer)) return "malformed";
  if (answer.stale) return "stale";
  const status = faultWord(answer.status);
  if (status === "already_done" || faultWord(answer.reason) === "already_done") return "already_done";
  if (FAULTS.has(status)) return status;
  if (/^[45]\d\d\b/.test(status) || /^exit_-?0*[1-9]\d*$/.test(status) || status.includes("permission")) return status;
  return status === "" && isFilled(answer.error) ? "error" : "";
}

function faultWord(value: unknown): string {
  const word = textOf(value).toLowerCase();
  return ALIASES.get(word) ?? word;
}

/** Only texts and keys can hold the mark, so the JSON text of a large answer need not be built. */
function holdsGarble(value: unknown): boolean {
  if (typeof value === "string") return GARBLE_MARK.test(value);
  if (Array.isArray(value)) return value.some(holdsGarble);
  if (!isObject(value)) return false;
  for (const key of Object.keys(value)) {
    if (GARBLE_MARK.test(key) || holdsGarble(value[key])) return true;
  }
  return false;
}

function isFilled(error: unknown): boolean {
  if (typeof error === "object" && error !== null) return Object.keys(error).length > 0;
  return Boolean(error);
}

function parsedObject(text: string): unknown {
  if (!text.trimStart().startsWith("{")) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null; // Text that only looks like JSON is the tool's own words.
  }
}

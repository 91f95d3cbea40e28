import { codePointLength, isObject, normText, type Row } from "@while/schema";
import { looksFinished } from "./looks-finished.ts";

/** A reply shorter than this is not suspected for lack of an ending. */
export const TRUNCATION_MIN_CHARS = 200;

/** Finish reasons by which an engine says that the model stopped by itself. */
const NATURAL_STOPS: ReadonlySet<unknown> = new Set(["stop", "end_turn", "stop_sequence", "eos", "eos_token"]);

/**
 * Was the reply cut by a token cap? What the engine recorded comes first (`finish_reason`, `truncated` on the row or
 * a step), then the grader's reason, then the text: 200 code points or more without an ending.
 *
 * The text is only a guess, so a recorded natural stop overrules it; the Python SDK guesses all the same.
 */
export function isTruncated(row: Row): boolean {
  if (row.finish_reason === "length" || row.truncated === true) return true;
  if (Array.isArray(row.steps) && row.steps.some((step) => isObject(step) && step.truncated === true)) return true;
  const reason = normText(textOr(row.reason, row.grader_reason));
  if (reason.includes("truncat") || reason.includes("cut off")) return true;
  return endsUnfinished(row, TRUNCATION_MIN_CHARS);
}

/** A final text of at least `minChars` code points that stops without an ending, and nobody recorded that it ended. */
export function endsUnfinished(row: Row, minChars: number): boolean {
  if (NATURAL_STOPS.has(row.finish_reason) || typeof row.final_text !== "string") return false;
  const text = row.final_text.trimEnd();
  return codePointLength(text) >= minChars && !looksFinished(text);
}

function textOr(first: unknown, second: unknown): string {
  if (typeof first === "string" && first !== "") return first;
  return typeof second === "string" ? second : "";
}

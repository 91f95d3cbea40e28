import { codePointLength, isObject, type Row } from "@while/schema";
import { assistantTurns, replyLength, toolCallCount, toolSteps } from "../rows/features.ts";
import { isTruncated } from "../rows/is-truncated.ts";
import { scanText } from "./scan-text.ts";

/** A number read from a row; null or anything else where the row has none. */
export type Feature = (row: Row) => unknown;

/**
 * What a reader would count first: length, calls, turns, signs, tools, the flags and markers a row carries, and the
 * mean log-probability. A feature that a row lacks is not in its map.
 *
 * @param own Features of the caller by name; one that throws or gives no number is missing in that row
 */
export function handFeatures(
  row: Row,
  { text = scanText(row), own = {} }: { text?: string; own?: Readonly<Record<string, Feature>> } = {},
): Map<string, number> {
  const features = new Map<string, number>([
    ["reply_length", replyLength(row)],
    ["tool_calls", toolCallCount(row)],
    ["assistant_turns", assistantTurns(row)],
    ["truncated", Number(isTruncated(row))],
    ["n:words", count(text, /\S+/gu)],
    ["n:digits", count(text, /\p{Nd}/gu)],
    ["n:newlines", count(text, /\n/gu)],
    ["n:punct", count(text, /[^\p{L}\p{N}_\s]/gu)],
    ["frac:upper", text === "" ? 0 : count(text, /[A-Z]/gu) / codePointLength(text)],
  ]);
  for (const step of toolSteps(row)) features.set(`tool:${String(step.tool)}`, 1);
  if (isObject(row.trace_flags)) {
    for (const [flag, fired] of Object.entries(row.trace_flags)) {
      if (Array.isArray(fired) ? fired.length > 0 : Boolean(fired)) features.set(`trace:${flag}`, 1);
    }
  }
  const { logprob, n_tokens: nTokens } = row;
  if (isNumber(logprob) && Number.isSafeInteger(nTokens) && (nTokens as number) > 0) {
    features.set("logprob_mean", logprob / (nTokens as number));
  }
  if (isObject(row.markers)) {
    for (const [name, value] of Object.entries(row.markers)) {
      if (isNumber(value)) features.set(`marker:${name}`, value);
    }
  }
  for (const [name, read] of Object.entries(own)) {
    const value = readOr(read, row);
    if (isNumber(value)) features.set(name, value);
  }
  return features;
}

function readOr(read: Feature, row: Row): unknown {
  try {
    return read(row);
  } catch {
    // A reader that cannot read this row has nothing to say of it; the missing indicator shows how often.
    return null;
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

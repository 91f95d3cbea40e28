import { cutCodePoints, isObject, splitWords, textOf } from "@while/schema";
import { lastObject, spokenPart } from "../judge/judge-reply.ts";

/** The reply that was shown first is A. */
export type ShownWinner = "A" | "B" | "tie";

const REASON_CHARS = 400;

/** What a pair judge answered: an object, or text that holds one, or at least `winner: X`. Null where it names none. */
export function readWinner(answer: unknown): { winner: ShownWinner | null; reason: string } {
  if (isObject(answer)) return { winner: sideOf(answer.winner), reason: reasonOf(answer.reason) };
  if (typeof answer !== "string") return { winner: null, reason: "" };
  const text = spokenPart(answer);
  const found = lastObject(text)?.value;
  if (found !== undefined) return { winner: sideOf(found.winner), reason: reasonOf(found.reason) };
  // The last one: a model that weighs both sides names them before it decides.
  const said = [...text.slice(-20_000).matchAll(/"?winner"?\s{0,3}[:=]\s{0,3}"?(a|b|tie)\b/gi)].at(-1)?.[1];
  return { winner: sideOf(said), reason: "" };
}

function sideOf(value: unknown): ShownWinner | null {
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (word === "tie") return "tie";
  return word === "a" ? "A" : word === "b" ? "B" : null;
}

function reasonOf(value: unknown): string {
  return cutCodePoints(splitWords(textOf(value)).join(" "), REASON_CHARS);
}

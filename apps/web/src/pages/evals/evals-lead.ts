import type { EvalHealth } from "@while/platform-client/contract";
import { whole } from "../../numbers.ts";

const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/** How many checks fail, over all behaviors. */
export function failingCount(evals: readonly EvalHealth[]): number {
  return evals.reduce((sum, { good, total }) => sum + total - good, 0);
}

/** The sentence on top: how many of the evals a decision can rest on, and how much is wrong with the others. */
export function evalsLead(evals: readonly EvalHealth[]): string {
  const sound = evals.filter(({ good, total }) => good === total).length;
  const failing = failingCount(evals);
  const other = evals.length - sound;
  if (evals.length === 1) {
    return sound === 1
      ? "The one eval can carry a decision."
      : `The one eval cannot carry a decision yet: ${checks(failing)}.`;
  }
  if (other === 0 && sound === 2) return "Both evals can carry a decision.";
  if (other === 0) return `All ${word(evals.length)} evals can carry a decision.`;
  if (sound === 0) return `None of ${word(evals.length)} evals can carry a decision yet. ${capital(checks(failing))}.`;
  const rest = other === 1 ? "the other" : `the other ${word(other)}`;
  return `${capital(word(sound))} of ${word(evals.length)} evals can carry a decision. ${capital(checks(failing))} on ${rest}.`;
}

function checks(n: number): string {
  return n === 1 ? "one check fails" : `${word(n)} checks fail`;
}

function word(n: number): string {
  return WORDS[n] ?? whole(n);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

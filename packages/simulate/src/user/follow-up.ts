import { wordDraw } from "../draw.ts";
import { SimulateError } from "../simulate-error.ts";

/** How soon a person who is asked questions walks away: at the second question, and at each later one. */
export interface Patience {
  second: number;
  later: number;
}

/** A convention; the grounded odds are a hazard per question, fitted on traces. */
const LEVELS: ReadonlyMap<string, Patience> = new Map([
  ["normal", { second: 0.35, later: 0.6 }],
  ["short", { second: 0.6, later: 0.9 }],
  ["endless", { second: 0, later: 0 }],
]);

/**
 * Patience by its word, or as given.
 *
 * @throws SimulateError `bad_option`
 */
export function patienceOf(given: string | Patience): Patience {
  const level = typeof given === "string" ? LEVELS.get(given) : given;
  const isShare = (x: unknown) => typeof x === "number" && x >= 0 && x <= 1;
  if (level !== undefined && isShare(level.second) && isShare(level.later)) return level;
  const fix = `Give ${[...LEVELS.keys()].join(", ")}, or { second, later } as shares.`;
  throw new SimulateError("bad_option", `patience is ${JSON.stringify(given)}.`, fix);
}

export interface FollowUpInput {
  message: string;
  turn: number;
  /** Turns that the person has had. */
  userTurns: number;
  budget: number;
  agentText: string;
  /** Questions that the agent asked before this one. */
  questions: number;
  patience: Patience;
}

const REFUSAL = /\b(?:cannot|can't|can’t|won't|won’t|unable|not allowed|against (?:our |the )?policy)\b/i;

/** Whether a person who is asked once more leaves, by a draw of their own. */
export function walksAway({
  message,
  turn,
  questions,
  patience,
}: Pick<FollowUpInput, "message" | "turn" | "questions" | "patience">): boolean {
  if (questions === 0) return false;
  return wordDraw(`${message}:${turn}:abandon`) / 2 ** 32 < (questions === 1 ? patience.second : patience.later);
}

/** Whether the person says something more: when asked, unless they leave; when refused; else by a draw. */
export function wantsFollowUp(input: FollowUpInput): boolean {
  const { message, turn, userTurns, budget, agentText } = input;
  const cap = Math.max(2, Math.floor(budget / 2));
  if (userTurns >= cap) return false;
  if (agentText.includes("?")) return !walksAway(input);
  if (REFUSAL.test(agentText)) return true;
  if (budget < 4) return false;
  return wordDraw(`${message}:${turn}:react`) / 2 ** 32 < 1 - 1 / cap;
}

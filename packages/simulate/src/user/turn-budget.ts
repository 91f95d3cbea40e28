import { roundHalfEven } from "@while/schema";
import { roundDraw } from "../draw.ts";

/** Turns that a conversation may have at most, by what the model's context and the tools leave room for. */
export function defaultMaxTurns(contextTokens = 4096, nTools = 0): number {
  const room = Math.max(1, contextTokens - 2048 - Math.min(1536, 64 * nTools));
  const most = contextTokens <= 8192 ? 40 : 120;
  return Math.min(most, Math.max(8, Math.floor(room / 128)));
}

export interface TurnBudgetOptions {
  /** What the budget hangs on: the prompt. */
  key: string;
  /** Most turns. */
  cap: number;
  avgTurns?: number;
  /** Mean turns so far, to steer back to `avgTurns`. Off by default: it makes a budget hang on what ran before. */
  runningMean?: number;
  minUserTurns?: number;
}

/**
 * How many turns one conversation may have: drawn around `avgTurns`, with a tail of short and of long ones, and even,
 * because a person and an agent take turns. The same in the Python SDK.
 */
export function turnBudget({ key, cap, avgTurns = 12, runningMean, minUserTurns = 1 }: TurnBudgetOptions): number {
  if (avgTurns <= 1) return 1;
  const clamp = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x));
  const steered = runningMean === undefined ? avgTurns : avgTurns + 0.5 * (avgTurns - runningMean);
  const center = clamp(roundHalfEven(steered, 0), 2, cap);
  const low = Math.max(2, center - 2);
  const high = Math.min(cap, Math.max(low, center + 2));
  const u = Number(roundDraw(0, 0, key, "turns") % 1000n);
  let turns: number;
  if (avgTurns <= 3.5) {
    if (u < 600) turns = 2 + (u % 3);
    else if (u < 900) turns = 5 + (u % 4);
    else turns = 9 + (u % Math.max(1, cap - 8));
  } else if (u < 150 && low - 1 >= 2) turns = 2 + (u % (low - 2));
  else if (u < 900) turns = low + (u % (high - low + 1));
  else {
    const above = Math.min(cap, high + 1);
    turns = above + (u % Math.max(1, cap - above + 1));
  }
  if (turns % 2 === 1) turns += runningMean === undefined || runningMean <= avgTurns ? 1 : -1;
  turns = clamp(turns, 2, cap - (cap % 2));
  return Math.min(cap, Math.max(turns, 2 * minUserTurns));
}

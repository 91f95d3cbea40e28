import { checkOptions } from "@while/schema";
import { oneOf, wholeNumber } from "../options.ts";
import { SelectError } from "../select-error.ts";

export const PAIR_MATCHINGS = ["closest", "ranked"] as const;
/**
 * Which of the admissible pairs are made. `closest`: over the whole prompt, those nearest in length first. `ranked`:
 * the best reply takes its nearest, then the next best, as the Python SDK does; only the rejected side is matched.
 */
export type PairMatching = (typeof PAIR_MATCHINGS)[number];

export const PAIR_GROUPINGS = ["prompt", "task"] as const;
export type PairGrouping = (typeof PAIR_GROUPINGS)[number];

export interface PairOptions {
  maxPairsPerPrompt?: number;
  /** The least by which the scores differ; above 0. */
  minMargin?: number;
  /** Pair replies of like length, so that length is not what is preferred. */
  lengthMatch?: boolean;
  matching?: PairMatching;
  /** What a pair shares: the ask in its wording, or the task, whose asks may differ in wording. */
  groupBy?: PairGrouping;
}

const NAMES: readonly string[] = ["maxPairsPerPrompt", "minMargin", "lengthMatch", "matching", "groupBy"];

/** Every option with its default. */
export function pairSettings(options: PairOptions): Required<PairOptions> {
  checkOptions(options, NAMES, (what, fix) => new SelectError("bad_option", what, fix));
  const { maxPairsPerPrompt = 1, minMargin = 1, lengthMatch = true } = options;
  if (!(Number.isFinite(minMargin) && minMargin > 0)) {
    throw new SelectError(
      "bad_option",
      `minMargin is ${String(minMargin)}, and min_margin must be positive: equal scores carry no preference.`,
      "Pass a number above 0, for example 1 for a pass against a failure.",
    );
  }
  return {
    maxPairsPerPrompt: wholeNumber("maxPairsPerPrompt", maxPairsPerPrompt, 1),
    minMargin,
    lengthMatch,
    matching: oneOf("matching", options.matching ?? "closest", PAIR_MATCHINGS),
    groupBy: oneOf("groupBy", options.groupBy ?? "prompt", PAIR_GROUPINGS),
  };
}

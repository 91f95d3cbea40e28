import { checkOptions } from "@while/schema";
import { DEFAULT_TARGET, numberIn, oneOf, wholeNumber } from "../options.ts";
import { SelectError } from "../select-error.ts";

/**
 * How rejection sampling chooses among passing completions (Lambert 2025, chapter Rejection Sampling): the best or a
 * random one of every prompt, or the best or random ones over all. A ranked rule is worth something only where it
 * beats its random twin.
 */
export const SFT_SELECTIONS = ["top_per_prompt", "random_per_prompt", "top_k_overall", "random_k_overall"] as const;

/** What one choice is made among: completions of one wording, or of one task whatever its wording. */
export const SFT_GROUPINGS = ["prompt", "task"] as const;

export type SftRule = (typeof SFT_SELECTIONS)[number];
export type SftGrouping = (typeof SFT_GROUPINGS)[number];

export interface SftOptions {
  select?: SftRule;
  /** Rows to select. */
  target?: number;
  /** Rows that the overall rules take; `target` when left out. The per-prompt rules take no k. */
  k?: number;
  /** Reward from which a completion is fit to imitate. */
  minReward?: number;
  /** For the random rules. */
  seed?: number;
  groupBy?: SftGrouping;
  /** Draws other winners among completions of equal reward. */
  salt?: string;
}

/** Every option with its value. */
export interface SftSettings {
  select: SftRule;
  target: number;
  /** null for the per-prompt rules. */
  k: number | null;
  minReward: number;
  seed: number;
  groupBy: SftGrouping;
  salt: string;
}

export const SFT_OPTION_NAMES: readonly (keyof SftOptions)[] = [
  "select",
  "target",
  "k",
  "minReward",
  "seed",
  "groupBy",
  "salt",
];

/** @throws SelectError `bad_option`, `unknown_rule` */
export function readSftOptions(given: SftOptions): SftSettings {
  checkOptions(given, SFT_OPTION_NAMES, (what, fix) => new SelectError("bad_option", what, fix));
  const { target = DEFAULT_TARGET, k, minReward = 1, seed = 0, groupBy = "prompt", salt = "" } = given;
  const select = checkSftRule(given.select ?? "top_per_prompt");
  const overall = select === "top_k_overall" || select === "random_k_overall";
  if (k !== undefined && !overall) {
    throw new SelectError(
      "bad_option",
      `k is ${k}, and ${select} takes one row a prompt.`,
      "Leave k out and set target, or select top_k_overall or random_k_overall.",
    );
  }
  if (!Number.isSafeInteger(seed)) {
    throw new SelectError("bad_option", `seed is ${seed}.`, "Pass a whole number.");
  }
  const checkedTarget = wholeNumber("target", target, 1);
  return {
    select,
    target: checkedTarget,
    k: overall ? wholeNumber("k", k ?? checkedTarget, 1) : null,
    minReward: numberIn("minReward", minReward, -Number.MAX_VALUE, Number.MAX_VALUE),
    seed,
    groupBy: oneOf("groupBy", groupBy, SFT_GROUPINGS),
    salt,
  };
}

/** @throws SelectError `unknown_rule` that names the four */
export function checkSftRule(word: unknown): SftRule {
  if (SFT_SELECTIONS.includes(word as SftRule)) return word as SftRule;
  throw new SelectError(
    "unknown_rule",
    `select is ${String(word)}.`,
    `select must be one of ${SFT_SELECTIONS.join(", ")}.`,
  );
}

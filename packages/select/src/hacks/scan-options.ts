import { checkOptions, isObject } from "@while/schema";
import { numberIn, oneOf, wholeNumber } from "../options.ts";
import { SelectError } from "../select-error.ts";
import { checkEndorsed } from "./check-endorsed.ts";
import type { Feature } from "./hand-features.ts";

export const SCAN_RULES = ["strict", "compat"] as const;
/**
 * `strict` searches conjunctions again in every shuffle, counts the given rewards among the arrangements, draws 999 of
 * them and looks at asks with contrast alone. `compat` is the Python SDK's scan, for numbers that have to agree.
 */
export type ScanRules = (typeof SCAN_RULES)[number];

export const SCAN_GROUPINGS = ["prompt", "task"] as const;
export type ScanGrouping = (typeof SCAN_GROUPINGS)[number];

export interface ScanOptions {
  /** Parts of names of features that the reward is meant to pay for; case is not looked at. */
  endorsed?: readonly string[];
  features?: Readonly<Record<string, Feature>>;
  /** Look at words too, and at pairs of features. */
  auto?: boolean;
  /**
   * Terms of the vocabulary, the commonest; 1000, or 200 by `compat`, where a phrase in one of ten replies is too rare to
   * be among them.
   */
  topK?: number;
  /** Shuffles; 999, or 100 by `compat`. */
  nPerm?: number;
  /** Rows that a feature must be in; by `strict` also missing from. */
  minObs?: number;
  /** Features whose pairs are looked at. */
  seeds?: number;
  /** Key of the reward on a row. */
  reward?: string;
  /**
   * What an update compares rollouts within. When left out: the prompt, or, by `strict`, the task where prompts are
   * worded differently every time and tasks are not.
   */
  groupBy?: ScanGrouping;
  seed?: number;
  /** Features in the report; null for all. */
  topFeatures?: number | null;
  alpha?: number;
  rules?: ScanRules;
}

export interface ScanSettings extends Omit<Required<ScanOptions>, "groupBy"> {
  /** null to decide by the rows. */
  groupBy: ScanGrouping | null;
  /** Rows that a feature must be missing from. */
  minMissing: number;
}

const NAMES: readonly string[] = [
  "endorsed",
  "features",
  "auto",
  "topK",
  "nPerm",
  "minObs",
  "seeds",
  "reward",
  "groupBy",
  "seed",
  "topFeatures",
  "alpha",
  "rules",
];

/** Every option with its default, which for `minObs` depends on how many rows there are. */
export function scanSettings(options: ScanOptions, nRows: number): ScanSettings {
  checkOptions(options, NAMES, (what, fix) => new SelectError("bad_option", what, fix));
  const { endorsed = [], features = {}, auto = true, reward = "reward" } = options;
  const refuse = (what: string, fix: string): never => {
    throw new SelectError("bad_option", what, fix);
  };
  if (!isObject(features)) refuse(`features is ${String(features)}.`, "Pass an object of functions that read a row.");
  for (const [name, read] of Object.entries(features)) {
    if (typeof read !== "function") {
      refuse(`features.${name} is ${String(read)}.`, "Pass a function that takes a row and gives a number or null.");
    }
  }
  if (typeof auto !== "boolean") refuse(`auto is ${String(auto)}.`, "Pass true or false.");
  if (typeof reward !== "string" || reward === "") refuse(`reward is ${String(reward)}.`, "Pass the key of a number.");
  const rules = oneOf("rules", options.rules ?? "strict", SCAN_RULES);
  const strict = rules === "strict";
  // Twenty rows of sixteen are none: a small set is scanned with a smaller demand.
  const fewest = strict ? Math.min(20, Math.max(4, Math.floor(0.02 * nRows), nRows < 80 ? 4 : 0)) : 20;
  const minObs = wholeNumber("minObs", options.minObs ?? fewest, 1);
  const alpha = numberIn("alpha", options.alpha ?? 0.05, 1e-6, 0.5);
  const nPerm = wholeNumber("nPerm", options.nPerm ?? (strict ? 999 : 100), 1);
  const needed = Math.ceil(1 / alpha - 1e-9) - 1;
  if (strict && nPerm < needed) {
    refuse(`nPerm is ${nPerm}, too few shuffles for alpha ${alpha}.`, `Pass ${needed} or more, or a larger alpha.`);
  }
  return {
    endorsed: checkEndorsed(endorsed),
    features,
    auto,
    topK: wholeNumber("topK", options.topK ?? (strict ? 1000 : 200), 1),
    nPerm,
    minObs,
    minMissing: strict ? minObs : 1,
    seeds: wholeNumber("seeds", options.seeds ?? 12, 0),
    reward,
    groupBy:
      options.groupBy === undefined ? (strict ? null : "prompt") : oneOf("groupBy", options.groupBy, SCAN_GROUPINGS),
    seed: wholeNumber("seed", options.seed ?? 0, 0),
    topFeatures: options.topFeatures === null ? null : wholeNumber("topFeatures", options.topFeatures ?? 20, 1),
    alpha,
    rules,
  };
}

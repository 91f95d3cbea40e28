import { SFT_COMPLETIONS_PER_PROMPT } from "@while/stats";
import { SimulateError } from "../simulate-error.ts";

export const MODES = ["explore", "sft", "rl", "adaptive"] as const;
export type Mode = (typeof MODES)[number];

/**
 * `none` and `fixed`: k rollouts each. `successive`: some, then more where they disagree. `adaptive`: one of each
 * situation, then other words and the same words again where something went wrong.
 */
export const REPEAT_POLICIES = ["none", "fixed", "successive", "adaptive"] as const;
export type RepeatPolicy = (typeof REPEAT_POLICIES)[number];

export interface TopologyOptions {
  mode?: string;
  repeatPolicy?: string;
  phrasings?: number;
  repeats?: number;
  /** Time for the whole run. */
  timeBudgetMs?: number;
}

/** How many prompts a situation gets, how many rollouts a prompt, and how these are handed out. */
export interface Topology {
  mode: Mode;
  /** Phrasings of a situation. */
  n: number;
  /** Rollouts of a phrasing; the most of them under `successive`. */
  k: number;
  policy: RepeatPolicy;
}

const PRESETS: Readonly<Record<Mode, Omit<Topology, "mode">>> = {
  explore: { n: 1, k: 1, policy: "none" },
  // Four completions of every phrasing: where the Python SDK repeats only those that met a fault, one cannot choose.
  sft: { n: 3, k: SFT_COMPLETIONS_PER_PROMPT, policy: "fixed" },
  rl: { n: 1, k: 8, policy: "successive" },
  adaptive: { n: 3, k: 3, policy: "adaptive" },
};
/** Under so short a clock a third rollout of the same words is worth less than another situation. */
const HURRIED_MS = 90_000;
const HURRIED_K = 2;

/**
 * The counts of a run, by its mode where they are not given.
 *
 * @throws SimulateError `bad_option`
 */
export function resolveTopology({
  mode = "explore",
  repeatPolicy,
  phrasings,
  repeats,
  timeBudgetMs = Number.POSITIVE_INFINITY,
}: TopologyOptions): Topology {
  const word = oneOf("mode", mode, MODES);
  const preset = word === "adaptive" && timeBudgetMs < HURRIED_MS ? { ...PRESETS[word], k: HURRIED_K } : PRESETS[word];
  const policy = repeatPolicy === undefined ? preset.policy : oneOf("repeatPolicy", repeatPolicy, REPEAT_POLICIES);
  const isUnique = policy === "none";
  return {
    mode: word,
    n: count("phrasings", phrasings) ?? (isUnique ? 1 : preset.n),
    k: count("repeats", repeats) ?? (isUnique ? 1 : preset.k),
    policy,
  };
}

function oneOf<Word extends string>(name: string, given: string, words: readonly Word[]): Word {
  if (words.includes(given as Word)) return given as Word;
  throw new SimulateError("bad_option", `${name} is ${JSON.stringify(given)}.`, `Give one of ${words.join(", ")}.`);
}

function count(name: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) return value;
  throw new SimulateError("bad_option", `${name} is ${value}.`, "Give a whole number of 1 or more.");
}

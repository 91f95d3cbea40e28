import { checkOptions } from "@while/schema";
import { numberIn, oneOf, wholeNumber } from "../options.ts";
import { SelectError } from "../select-error.ts";
import { balancedPick } from "./balanced-pick.ts";

export const ADA_EXITS = ["balanced", "positive"] as const;
/** When a prompt has had enough: half of what is kept right and half wrong, or one right sample. */
export type AdaExit = (typeof ADA_EXITS)[number];

export interface AdaOptions {
  /** Samples kept of a prompt, which is the size of its group; at least 2. */
  keep?: number;
  /** Samples drawn of an active prompt in a round; at least `keep`. */
  roundSize?: number;
  maxRounds?: number;
  exit?: AdaExit;
  /** A reward above it is right. */
  threshold?: number;
  /** No round begins once so many samples were drawn over all prompts; null for no limit. */
  maxDraws?: number | null;
}

/** A completion with its reward; whatever else it carries comes back with it. */
export interface AdaSample {
  reward: number;
}

export interface AdaGroup<Sample> {
  drawn: number;
  /** Whether it had enough before the rounds ran out. */
  retired: boolean;
  /** Right of drawn. Drawing until one is right makes it too high for hard prompts: see `firstRoundPassRate`. */
  passRate: number;
  /** Right of drawn in the first round alone, which no stopping rule has touched: unbiased. */
  firstRoundPassRate: number;
  kept: Sample[];
  /** Reward minus the mean reward of everything drawn, a kept sample each; not divided by a deviation. */
  advantages: number[];
}

export interface AdaResult<Prompt, Sample> {
  rounds: number;
  groups: Map<Prompt, AdaGroup<Sample>>;
  stats: {
    drawnPerPrompt: number;
    /** Share of prompts that had enough. */
    retired: number;
    /** Share of prompts whose kept samples all have an advantage of 0. */
    noGradient: number;
    /** The same share had `keep` samples been drawn of each prompt once, at the rates seen here. */
    grpoNoGradient: number;
    passRate: number;
    firstRoundPassRate: number;
    /** The draws ended for `maxDraws` with prompts still active. */
    capped: boolean;
  };
}

/**
 * Reinforce-Ada (Xiong et al. 2025, arXiv:2510.04996): draws in rounds and lets a prompt go as soon as it has contrast,
 * so that hard prompts get more samples and easy ones do not waste them; then keeps a balanced group of each.
 *
 * @param draw Samples of the prompts still active: one list for each of them, of `roundSize`
 * @throws SelectError `bad_option` for an option, or when `draw` answers with another number of lists, fewer samples
 *   than `keep` in all, or a reward that is no finite number
 */
export async function reinforceAda<Prompt, Sample extends AdaSample>(
  prompts: readonly Prompt[],
  draw: (active: readonly Prompt[], roundSize: number) => Sample[][] | Promise<Sample[][]>,
  options: AdaOptions = {},
): Promise<AdaResult<Prompt, Sample>> {
  const { keep, roundSize, maxRounds, exit, threshold, maxDraws } = adaSettings(options);
  const states = new Map<Prompt, { samples: Sample[]; nRight: number; firstRate: number; retired: boolean }>();
  for (const prompt of prompts) states.set(prompt, { samples: [], nRight: 0, firstRate: 0, retired: false });
  const enough = (nRight: number, nWrong: number): boolean =>
    exit === "positive" ? nRight >= 1 : nRight >= Math.floor(keep / 2) && nWrong >= keep - Math.floor(keep / 2);

  let rounds = 0;
  let nDrawn = 0;
  let active = [...states.keys()];
  while (active.length > 0 && rounds < maxRounds && (maxDraws === null || nDrawn < maxDraws)) {
    const lists = await draw(active, roundSize);
    if (lists.length !== active.length) {
      throw new SelectError(
        "bad_option",
        `draw answered with ${lists.length} lists for ${active.length} prompts.`,
        "Answer with one list of samples for every active prompt, in their order.",
      );
    }
    for (const [i, prompt] of active.entries()) {
      const state = states.get(prompt)!;
      for (const sample of lists[i]!) {
        if (!Number.isFinite(sample.reward)) throw notFinite(sample.reward);
        state.samples.push(sample);
        if (sample.reward > threshold) state.nRight++;
      }
      nDrawn += lists[i]!.length;
      if (rounds === 0) state.firstRate = state.samples.length === 0 ? 0 : state.nRight / state.samples.length;
      state.retired = enough(state.nRight, state.samples.length - state.nRight);
    }
    active = active.filter((prompt) => !states.get(prompt)!.retired);
    rounds++;
  }

  const groups = new Map<Prompt, AdaGroup<Sample>>();
  for (const [prompt, { samples, nRight, firstRate, retired }] of states) {
    if (samples.length < keep) {
      throw new SelectError(
        "bad_option",
        `A prompt has ${samples.length} samples and a group keeps ${keep}.`,
        "Let draw answer with roundSize samples a prompt.",
      );
    }
    const isRight = ({ reward }: Sample): boolean => reward > threshold;
    const [right, wrong] = balancedPick(nRight, samples.length - nRight, keep);
    const kept = [
      ...samples.filter(isRight).slice(0, right),
      ...samples.filter((sample) => !isRight(sample)).slice(0, wrong),
    ];
    const mean = samples.reduce((sum, { reward }) => sum + reward, 0) / samples.length;
    groups.set(prompt, {
      drawn: samples.length,
      retired,
      passRate: nRight / samples.length,
      firstRoundPassRate: firstRate,
      kept,
      advantages: kept.map(({ reward }) => reward - mean),
    });
  }
  const all = [...groups.values()];
  const meanOf = (value: (group: AdaGroup<Sample>) => number): number =>
    all.length === 0 ? 0 : all.reduce((sum, group) => sum + value(group), 0) / all.length;
  return {
    rounds,
    groups,
    stats: {
      drawnPerPrompt: meanOf(({ drawn }) => drawn),
      retired: meanOf(({ retired }) => Number(retired)),
      noGradient: meanOf(({ advantages }) => Number(advantages.every((advantage) => advantage === 0))),
      grpoNoGradient: meanOf(({ passRate: p }) => p ** keep + (1 - p) ** keep),
      passRate: meanOf(({ passRate }) => passRate),
      firstRoundPassRate: meanOf(({ firstRoundPassRate }) => firstRoundPassRate),
      capped: active.length > 0 && rounds < maxRounds,
    },
  };
}

const NAMES: readonly string[] = ["keep", "roundSize", "maxRounds", "exit", "threshold", "maxDraws"];

function adaSettings(options: AdaOptions): Required<AdaOptions> {
  checkOptions(options, NAMES, (what, fix) => new SelectError("bad_option", what, fix));
  const { keep = 4, roundSize = 8, maxRounds = 4, exit = "balanced", threshold = 0.7, maxDraws = null } = options;
  if (wholeNumber("keep", keep, 1) < 2) {
    throw new SelectError(
      "bad_option",
      `keep is ${keep}, and keep must be at least 2: one sample has no contrast.`,
      "Keep 2 or more samples of a prompt.",
    );
  }
  if (wholeNumber("roundSize", roundSize, 1) < keep) {
    throw new SelectError(
      "bad_option",
      `roundSize is ${roundSize}, and round_size must be at least keep, which is ${keep}.`,
      "Draw at least as many samples a round as a group keeps.",
    );
  }
  return {
    keep,
    roundSize,
    maxRounds: wholeNumber("maxRounds", maxRounds, 1),
    exit: oneOf("exit", exit, ADA_EXITS),
    threshold: numberIn("threshold", threshold, -Number.MAX_VALUE, Number.MAX_VALUE),
    maxDraws: maxDraws === null ? null : wholeNumber("maxDraws", maxDraws, 1),
  };
}

const notFinite = (reward: unknown): SelectError =>
  new SelectError("bad_option", `draw gave a reward of ${String(reward)}.`, "Grade every sample with a finite number.");

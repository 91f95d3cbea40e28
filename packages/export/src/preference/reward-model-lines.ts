import { type PairContext, pairLines, pairSettings, type RewardModelOptions } from "./pair-lines.ts";
import type { PreferenceLines } from "./preference-lines.ts";
import type { PairSource } from "./wire-pair.ts";

/**
 * Pairs as the trainer of a reward model reads them: two whole conversations, scored on their last token. The shared
 * part stays implicit, since two renderings of it need not join cleanly. A pair of partial scores is a comparison like
 * any other (Bradley-Terry, Ouyang et al. 2022, arXiv:2203.02155).
 *
 * There is no `margin` column unless asked for: a trainer that finds one subtracts it inside the loss (Touvron et al.
 * 2023, arXiv:2307.09288).
 *
 * @throws ExportError as `preferenceLines` does
 */
export function rewardModelLines(
  pairs: Iterable<PairSource>,
  options: RewardModelOptions = {},
  context: PairContext = {},
): PreferenceLines {
  const { lines, report } = pairLines(pairs, pairSettings("reward-model", options, context), context);
  return { lines, report };
}

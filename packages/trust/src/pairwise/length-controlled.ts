import { type Row, textOf } from "@while/schema";
import { type ControlledRate, controlledRate, type Interval, wilsonInterval } from "@while/stats";
import { replyLength } from "../agreement/reply-length.ts";
import { taskClusters } from "../agreement/task-clusters.ts";

/** How often the chosen reply is preferred when both are equally long. */
export interface LengthControlled extends Pick<ControlledRate, "n" | "rate" | "ci95" | "slope" | "slopeCi95" | "note"> {
  /** Pairs of replies of two lengths that have a winner; of those, where it is the longer one. */
  nUnequal: number;
  nLongerWins: number;
  /** Wilson's, of the share that the longer one wins. */
  longerCi95: Interval | null;
}

/**
 * Holds length fixed: a win rate partly won by longer replies is that much lower at equal length. Logistic in
 * tanh(difference of characters / its root mean square), as AlpacaEval 2 does (Dubois et al. 2024, arXiv:2404.04475), with
 * tasks as the draws.
 *
 * @param pairs Judged pairs with the score of the chosen reply: 1 preferred, 0.5 a tie, 0 not
 * @returns null without pairs, and where no two replies differ in length
 */
export function lengthControlled(
  pairs: readonly { chosen: Row; rejected: Row; prompt?: unknown; score: number }[],
): LengthControlled | null {
  const longer = pairs.map(({ chosen, rejected }) => replyLength(chosen) - replyLength(rejected));
  const size = Math.sqrt(longer.reduce((total, gap) => total + gap ** 2, 0) / Math.max(1, longer.length));
  if (size === 0) return null;
  const asks = pairs.map(
    ({ chosen, prompt }): Row => (textOf(chosen.prompt) === "" ? { ...chosen, prompt: textOf(prompt) } : chosen),
  );
  const { n, rate, ci95, slope, slopeCi95, note } = controlledRate(
    pairs.map(({ score }) => score),
    longer.map((gap) => Math.tanh(gap / size)),
    { clusters: taskClusters(asks) },
  );
  const unequal = pairs.flatMap(({ score }, i) =>
    longer[i] === 0 || score === 0.5 ? [] : [longer[i]! > 0 === (score === 1)],
  );
  const nLongerWins = unequal.filter(Boolean).length;
  return {
    ...{ n, rate, ci95, slope, slopeCi95, note, nUnequal: unequal.length, nLongerWins },
    longerCi95: wilsonInterval(nLongerWins, unequal.length),
  };
}

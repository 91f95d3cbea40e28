import { ALPHA, Z_95 } from "../constants.ts";
import type { Interval } from "../interval/interval.ts";
import { checkLevel } from "../kernel/check-level.ts";
import { StatsError } from "../stats-error.ts";

export interface AsymptoticConfidenceSequenceOptions {
  /** Mean of the values so far. */
  mean: number;
  /** Their standard deviation. */
  sd: number;
  /** Values so far. */
  t: number;
  /** Number of values at which the sequence is to be narrowest; has to be chosen before looking. */
  tOpt: number;
  /** Chance that the true mean ever leaves the sequence. */
  alpha?: number;
}

export interface AsymptoticConfidenceSequence {
  /** Variance of the mixture that `tOpt` comes to. */
  rho2: number;
  halfWidth: number;
  ci: Interval;
  /** 1.96 · sd / √t: what an interval that is looked at once would have. */
  fixedHalfWidth: number;
}

/**
 * Interval on a mean of any values of bounded spread (differences of task means, say) that may be looked at after every
 * task: the true mean ever leaves it with chance alpha. About 1.6 times as wide as an interval for one look. Holds for
 * many values, not for a dozen; tasks have to come in random order. Waudby-Smith et al. 2021 (arXiv:2103.06476).
 *
 * @throws StatsError `bad_value`, `bad_count`, `bad_level` for an alpha outside (0, 1)
 */
export function asymptoticConfidenceSequence({
  mean,
  sd,
  t,
  tOpt,
  alpha = ALPHA,
}: AsymptoticConfidenceSequenceOptions): AsymptoticConfidenceSequence {
  checkLevel(alpha);
  if (!(Number.isFinite(mean) && sd >= 0 && Number.isFinite(sd))) {
    throw new StatsError("bad_value", `The mean is ${mean} with sd ${sd}.`, "Pass what the values so far have.");
  }
  for (const [name, count] of Object.entries({ t, tOpt })) {
    if (Number.isSafeInteger(count) && count >= 1) continue;
    throw new StatsError("bad_count", `${name} is ${count}.`, "Pass a whole number of values from 1 up.");
  }
  const bet = -2 * Math.log(alpha);
  const rho2 = (bet + Math.log(bet + 1)) / tOpt;
  const spread = t * rho2 + 1;
  const halfWidth = sd * Math.sqrt(((2 * spread) / (t ** 2 * rho2)) * Math.log(Math.sqrt(spread) / alpha));
  return {
    rho2,
    halfWidth,
    ci: [mean - halfWidth, mean + halfWidth],
    fixedHalfWidth: (Z_95 * sd) / Math.sqrt(t),
  };
}

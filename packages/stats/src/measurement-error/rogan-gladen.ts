import { Z_95 } from "../constants.ts";
import { checkSuccesses } from "../interval/check-successes.ts";
import type { Interval } from "../interval/interval.ts";

export interface RoganGladenInput {
  /** Rows of this arm the judge passed. */
  judgePasses: number;
  /** Rows of this arm the judge read. */
  n: number;
  /** Of the labeled rows gold passes, those the judge passed. */
  truePos: number;
  goldPass: number;
  /** Of the labeled rows gold fails, those the judge failed. */
  trueNeg: number;
  goldFail: number;
}

export interface RoganGladen {
  /** Cut to [0, 1]; null with the reason in `note`. */
  estimate: number | null;
  /** Before the cut. Far outside [0, 1] it says that the judge's errors on this arm are not those that were measured. */
  raw: number | null;
  se: number | null;
  ci95: Interval | null;
  sensitivity: number | null;
  specificity: number | null;
  /** `no_rows`, `one_class`: gold of one class alone; `uninformative`: the judge passes bad work as often as good. */
  note: "no_rows" | "one_class" | "uninformative" | null;
}

/**
 * The true pass rate behind a judge's pass rate, from how often the judge is right on good and on bad work: (q +
 * specificity - 1) / (sensitivity + specificity - 1). Rogan and Gladen 1978. Needs no labels on this arm, but a judge
 * whose errors are the same here as where they were measured; with labels on the arm prefer `ppiMean`.
 *
 * @throws StatsError `bad_count`
 */
export function roganGladen({ judgePasses, n, truePos, goldPass, trueNeg, goldFail }: RoganGladenInput): RoganGladen {
  checkSuccesses("roganGladen", judgePasses, n);
  checkSuccesses("roganGladen", truePos, goldPass);
  checkSuccesses("roganGladen", trueNeg, goldFail);
  const sensitivity = goldPass === 0 ? null : truePos / goldPass;
  const specificity = goldFail === 0 ? null : trueNeg / goldFail;
  const nothing = { estimate: null, raw: null, se: null, ci95: null, sensitivity, specificity };
  if (n === 0) return { ...nothing, note: "no_rows" };
  if (sensitivity === null || specificity === null) return { ...nothing, note: "one_class" };
  // By whole numbers: 0.9 + 0.1 - 1 is not 0 in doubles.
  if (truePos * goldFail + trueNeg * goldPass <= goldPass * goldFail) return { ...nothing, note: "uninformative" };

  const rate = judgePasses / n;
  const youden = sensitivity + specificity - 1;
  const raw = (rate + specificity - 1) / youden;
  const variance =
    binomialVariance(rate, n) +
    raw ** 2 * binomialVariance(sensitivity, goldPass) +
    (1 - raw) ** 2 * binomialVariance(specificity, goldFail);
  const se = Math.sqrt(variance) / youden;
  return {
    estimate: cut(raw),
    raw,
    se,
    ci95: [cut(raw - Z_95 * se), cut(raw + Z_95 * se)],
    sensitivity,
    specificity,
    note: null,
  };
}

function binomialVariance(rate: number, n: number): number {
  return (rate * (1 - rate)) / n;
}

function cut(share: number): number {
  return Math.min(1, Math.max(0, share));
}

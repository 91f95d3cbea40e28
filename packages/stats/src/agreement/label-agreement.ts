import type { Interval } from "../interval/interval.ts";
import { wilsonInterval } from "../interval/wilson-interval.ts";
import { StatsError } from "../stats-error.ts";
import { cohenKappa } from "./cohen-kappa.ts";
import type { Confusion } from "./confusion.ts";
import { gwetAc1 } from "./gwet-ac1.ts";
import { kappaStandardError } from "./kappa-standard-error.ts";
import { pabak } from "./pabak.ts";

export interface LabelAgreement extends Confusion {
  /** Pairs with a 0 or 1 on both sides. */
  n: number;
  /** Pairs without. */
  nSkipped: number;
  /** Share of pairs that say the same; null without any. */
  agreement: number | null;
  /** Wilson's. */
  ci95: Interval | null;
  /** Null with the reason in `kappaNote`. */
  kappa: number | null;
  kappaSe: number | null;
  kappaCi95: Interval | null;
  /** `no_labels`: no pair. `one_class`: both sides gave one class throughout, so nothing shows they could part. */
  kappaNote: "no_labels" | "one_class" | null;
  ac1: number | null;
  pabak: number | null;
  judgePassRate: number | null;
  goldPassRate: number | null;
  /** Of the rows gold fails, the share the judge passes: bad work that would be trained on. */
  passWhenGoldFail: number | null;
  /** Of the rows gold passes, the share the judge fails: good work that would be lost. */
  failWhenGoldPass: number | null;
}

/**
 * How a judge's verdicts and gold labels of the same rows agree. Whether that is enough is for whoever trains on them
 * to say; the interval and kappa's lower bound are what to hold a floor against.
 *
 * @param judge One verdict a row. Only the numbers 0 and 1 count; anything else (a boolean, text, partial credit,
 *   null) is skipped, and counted.
 * @param gold The label of the same row, in the same order
 * @throws StatsError `bad_value` for lists of two lengths
 */
export function labelAgreement(judge: readonly unknown[], gold: readonly unknown[]): LabelAgreement {
  if (judge.length !== gold.length) {
    throw new StatsError(
      "bad_value",
      `labelAgreement got ${judge.length} verdicts and ${gold.length} gold labels.`,
      "Pass one of each a row, null where there is none.",
    );
  }
  const table: Confusion = { tp: 0, fp: 0, fn: 0, tn: 0 };
  for (const [i, verdict] of judge.entries()) {
    const label = gold[i];
    if (verdict === 1 && label === 1) table.tp++;
    else if (verdict === 1 && label === 0) table.fp++;
    else if (verdict === 0 && label === 1) table.fn++;
    else if (verdict === 0 && label === 0) table.tn++;
  }
  const { tp, fp, fn, tn } = table;
  const n = tp + fp + fn + tn;
  const kappa = cohenKappa(table);
  const error = kappaStandardError(table);
  return {
    ...table,
    n,
    nSkipped: judge.length - n,
    agreement: share(tp + tn, n),
    ci95: wilsonInterval(tp + tn, n),
    kappa,
    kappaSe: error?.se ?? null,
    kappaCi95: error?.ci95 ?? null,
    kappaNote: n === 0 ? "no_labels" : kappa === null ? "one_class" : null,
    ac1: gwetAc1(table),
    pabak: pabak(table),
    judgePassRate: share(tp + fp, n),
    goldPassRate: share(tp + fn, n),
    passWhenGoldFail: share(fp, fp + tn),
    failWhenGoldPass: share(fn, fn + tp),
  };
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

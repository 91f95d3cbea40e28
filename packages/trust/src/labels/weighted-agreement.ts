import type { Row } from "@while/schema";
import { ALPHA, fisherExact, type Interval, wilsonInterval } from "@while/stats";
import { GOLD_FIELD } from "../agreement/gold.ts";
import { type Known, moverShare, moverSum } from "./mover.ts";
import { decidedRows, type VerdictStratum, verdictStrata } from "./verdict-strata.ts";

export interface WeightedAgreementOptions {
  gold?: string;
  allowModelGold?: boolean;
  /** Labels that count as one, where rollouts share a task: intervals are wider by its root. */
  designEffect?: number;
}

/** Agreement over all rows with a verdict, from labels on some of them. */
export interface WeightedAgreement {
  /** Rows with a verdict, and of these with a label. */
  nJudged: number;
  nLabeled: number;
  strata: VerdictStratum[];
  /** Of the rows that the judge passes, the share with a label; of those that it fails. Null where it passes, or fails, none. */
  labeledOfPasses: number | null;
  labeledOfFails: number | null;
  /** That labels were drawn alike from both, by Fisher's exact test; null where the judge gave one verdict. */
  pDrawnAlike: number | null;
  /** `pDrawnAlike` is under 0.05: shares over the labels are not those over the rows. */
  uneven: boolean;
  agreement: number | null;
  agreementCi95: Interval | null;
  kappa: number | null;
  kappaCi95: Interval | null;
  /** Right on passes: of the rows that gold passes, the share that the judge passes. */
  tpr: number | null;
  tprCi95: Interval | null;
  tnr: number | null;
  tnrCi95: Interval | null;
  designEffect: number;
  /** `no_labels`; `no_label_of_a_verdict`: the judge gave a verdict of whose rows none is labeled, so nothing is known of it. */
  note: "no_labels" | "no_label_of_a_verdict" | null;
}

/**
 * Agreement, kappa and both error rates of all rows with a verdict, where people labeled more of one verdict than of the
 * other: failures are rare and worth looking for among what the judge fails, but a share over such labels is one of the
 * labels. Each verdict's labels stand for all of its rows (Begg and Greenes 1983), with Wilson's limits of each verdict put
 * together by variance recovery (Zou and Donner 2008; Donner and Zou 2012).
 *
 * Inside a verdict (and inside the rows that the judge is unsure of) the labeled rows have to be a random draw. Shares are of
 * these rows; how far others would differ is not in the intervals.
 */
export function weightedAgreement(
  rows: readonly Row[],
  { gold = GOLD_FIELD, allowModelGold = false, designEffect = 1 }: WeightedAgreementOptions = {},
): WeightedAgreement {
  const strata = verdictStrata(decidedRows(rows, { gold, allowModelGold }));
  const nJudged = sum(strata, ({ nRows }) => nRows);
  const nLabeled = sum(strata, (stratum) => stratum.nLabeled);
  const { labeledOfPasses, labeledOfFails, pDrawnAlike } = drawn(strata);
  const uneven = pDrawnAlike !== null && pDrawnAlike < ALPHA;
  const report = { nJudged, nLabeled, strata, labeledOfPasses, labeledOfFails, pDrawnAlike, uneven, designEffect };
  const nothing = {
    ...report,
    ...{ agreement: null, agreementCi95: null, kappa: null, kappaCi95: null },
    ...{ tpr: null, tprCi95: null, tnr: null, tnrCi95: null },
  };
  if (nLabeled === 0) return { ...nothing, note: "no_labels" };
  if (strata.some((stratum) => stratum.nLabeled === 0)) return { ...nothing, note: "no_label_of_a_verdict" };
  const known = strata.map((stratum) => ({
    ...stratum,
    ...rightShare(stratum, designEffect),
    weight: stratum.nRows / nJudged,
  }));
  const agreement = clamped(moverSum(known));
  const rightOf = (verdict: 0 | 1) => moverSum(known.filter((stratum) => stratum.verdict === verdict));
  const wrongOf = (verdict: 0 | 1) =>
    moverSum(
      known.filter((stratum) => stratum.verdict === verdict).map((stratum) => ({ ...stratum, ...turned(stratum) })),
    );
  const tpr = moverShare(rightOf(1), wrongOf(0));
  const tnr = moverShare(rightOf(0), wrongOf(1));
  return {
    ...report,
    agreement: agreement.estimate,
    agreementCi95: agreement.ci95,
    ...kappaOf(known, designEffect),
    ...{
      tpr: tpr?.estimate ?? null,
      tprCi95: tpr?.ci95 ?? null,
      tnr: tnr?.estimate ?? null,
      tnrCi95: tnr?.ci95 ?? null,
    },
    note: null,
  };
}

function drawn(
  strata: readonly VerdictStratum[],
): Pick<WeightedAgreement, "labeledOfPasses" | "labeledOfFails" | "pDrawnAlike"> {
  const [passes, fails] = ([1, 0] as const).map((verdict) => {
    const own = strata.filter((stratum) => stratum.verdict === verdict);
    return { successes: sum(own, ({ nLabeled }) => nLabeled), n: sum(own, ({ nRows }) => nRows) };
  });
  const share = ({ successes, n }: { successes: number; n: number }) => (n === 0 ? null : successes / n);
  const both = passes!.n > 0 && fails!.n > 0;
  return {
    labeledOfPasses: share(passes!),
    labeledOfFails: share(fails!),
    pDrawnAlike: both ? fisherExact(passes!, fails!) : null,
  };
}

/** Wilson's interval, drawn out by the root of the design effect. */
function rightShare({ nRight, nLabeled }: VerdictStratum, designEffect: number): Known {
  const estimate = nRight / nLabeled;
  const wider = Math.sqrt(Math.max(1, designEffect));
  const [low, high] = wilsonInterval(nRight, nLabeled)!;
  return clamped({ estimate, ci95: [estimate - wider * (estimate - low), estimate + wider * (high - estimate)] });
}

function clamped({ estimate, ci95: [low, high] }: Known): Known {
  return { estimate, ci95: [Math.max(0, low), Math.min(1, high)] };
}

function turned({ estimate, ci95: [low, high] }: Known): Known {
  return { estimate: 1 - estimate, ci95: [1 - high, 1 - low] };
}

/** Z of 95%, as Wilson's. */
const Z = 1.96;

/**
 * Kappa of the weighted table; its error by the delta method, the share of passes held fixed. A stratum that is right
 * throughout is not taken for one that cannot err: its variance is that of half a row more on either side.
 */
function kappaOf(
  known: readonly (VerdictStratum & Known & { weight: number })[],
  designEffect: number,
): { kappa: number | null; kappaCi95: Interval | null } {
  const of = (verdict: 0 | 1) => known.filter((stratum) => stratum.verdict === verdict);
  const weightOf = (verdict: 0 | 1) => sum(of(verdict), ({ weight }) => weight);
  const rightOf = (verdict: 0 | 1) => sum(of(verdict), ({ weight, estimate }) => weight * estimate);
  const [passes, fails] = [weightOf(1), weightOf(0)];
  const [tp, tn] = [rightOf(1), rightOf(0)];
  if (passes === 0 || fails === 0) return { kappa: null, kappaCi95: null };
  // kappa = 2WV(p + q - 1) / (W²(1 - p) + V²(1 - q) + WV(p + q)) with p right of the passes W and q of the fails V.
  const [p, q] = [tp / passes, tn / fails];
  const above = 2 * passes * fails * (p + q - 1);
  const below = passes ** 2 * (1 - p) + fails ** 2 * (1 - q) + passes * fails * (p + q);
  const kappa = above / below;
  const slope = (turn: number) => (2 * passes * fails * below - above * turn) / below ** 2;
  const slopes = { 1: slope(passes * (fails - passes)), 0: slope(fails * (passes - fails)) };
  const variance = sum(known, ({ verdict, weight, nRight, nLabeled }) => {
    const share = (nRight + 0.5) / (nLabeled + 1);
    const part = weight / (verdict === 1 ? passes : fails);
    return (slopes[verdict] * part) ** 2 * ((share * (1 - share)) / nLabeled);
  });
  const half = Z * Math.sqrt(variance * Math.max(1, designEffect));
  return { kappa, kappaCi95: [Math.max(-1, kappa - half), Math.min(1, kappa + half)] };
}

function sum<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + amountOf(item), 0);
}

import type { Row } from "@while/schema";
import {
  binaryReward,
  type Interval,
  newcombeIndependent,
  type PpiMean,
  ppiMean,
  type RoganGladen,
  roganGladen,
} from "@while/stats";
import { GOLD_FIELD, isTrustedRow } from "../agreement/gold.ts";
import { judgeSplitOf } from "./judge-split.ts";

export interface CorrectedPassRateOptions {
  gold?: string;
  allowModelGold?: boolean;
}

/** The pass rate of the rows with the judge's errors taken out, and how far that can be done. */
export interface CorrectedPassRate {
  /** What the judge says. */
  observed: number | null;
  /** Rows with a verdict; with gold beside it. */
  nJudged: number;
  nLabeled: number;
  /** Right passes less wrong ones: 0 is a judge that says nothing of the work. */
  youden: number | null;
  youdenCi95: Interval | null;
  /** From both error rates; null with the reason in `note`. */
  roganGladen: RoganGladen | null;
  /** From labels and verdicts together; null under two labeled or two other rows. */
  predictionPowered: PpiMean | null;
  /**
   * `no_labels`; `one_class`: gold of one class, so that one error rate is not known; `no_information`: it is not shown
   * that the judge passes good work more often than bad.
   */
  note: "no_labels" | "one_class" | "no_information" | null;
}

/**
 * The true pass rate behind a judge's: by its error rates (Rogan and Gladen 1978), and by what the labels say it is off
 * (prediction-powered inference, Angelopoulos et al. 2023). The labeled rows have to be a random draw of all, or drawn at
 * random inside each verdict for the first. Labels that the judge was tuned on are not counted.
 *
 * A judge without information cannot be corrected: the formula divides by what it knows. With a confusion of 124, 58, 24
 * and 15 it would give an interval from 0 to 1.
 */
export function correctedPassRate(
  rows: readonly Row[],
  { gold = GOLD_FIELD, allowModelGold = false }: CorrectedPassRateOptions = {},
): CorrectedPassRate {
  const judged = rows.flatMap((row) => {
    const judge = binaryReward(row);
    if (judge === null) return [];
    const counts = (allowModelGold || isTrustedRow(row, gold)) && judgeSplitOf(row) !== "tune";
    return [{ judge, gold: counts ? binaryReward(row, gold) : null }];
  });
  const labeled = judged.filter((row): row is { judge: 0 | 1; gold: 0 | 1 } => row.gold !== null);
  const of = (label: 0 | 1) => labeled.filter((row) => row.gold === label);
  const [good, bad] = [of(1), of(0)];
  const right = (own: typeof labeled, verdict: 0 | 1) => own.filter(({ judge }) => judge === verdict).length;
  const passes = judged.filter(({ judge }) => judge === 1).length;
  const report = {
    observed: judged.length === 0 ? null : passes / judged.length,
    nJudged: judged.length,
    nLabeled: labeled.length,
  };
  const nothing = { ...report, youden: null, youdenCi95: null, roganGladen: null, predictionPowered: null };
  if (labeled.length === 0) return { ...nothing, note: "no_labels" };
  const predictionPowered = ppiMean({
    gold: labeled.map((row) => row.gold),
    judgeOnGold: labeled.map(({ judge }) => judge),
    judgeUnlabeled: judged.flatMap((row) => (row.gold === null ? [row.judge] : [])),
  });
  const gap = newcombeIndependent(
    { successes: right(bad, 1), n: bad.length },
    { successes: right(good, 1), n: good.length },
  );
  if (gap === null) return { ...nothing, predictionPowered, note: "one_class" };
  const known = { ...report, youden: gap.delta, youdenCi95: gap.ci95, predictionPowered };
  if (gap.ci95[0] <= 0) return { ...known, roganGladen: null, note: "no_information" };
  const corrected = roganGladen({
    judgePasses: passes,
    n: judged.length,
    truePos: right(good, 1),
    goldPass: good.length,
    trueNeg: right(bad, 0),
    goldFail: bad.length,
  });
  return { ...known, roganGladen: corrected, note: null };
}

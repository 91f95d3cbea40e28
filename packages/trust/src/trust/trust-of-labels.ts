import { cutCodePoints, type Row, roundHalfEven, rowKey, taskKey, textOf } from "@while/schema";
import { binaryReward, gradedReward } from "@while/stats";
import type { JudgeAgreement } from "../agreement/agreement-report.ts";
import { annotatorAgreement } from "../agreement/annotator-agreement.ts";
import { countedRows } from "../agreement/counted-rows.ts";
import { type LabeledRow, labeledRows } from "../agreement/gold.ts";
import { heldOutHalves } from "../agreement/held-out-halves.ts";
import { judgeAgreement } from "../agreement/judge-agreement.ts";
import { lengthSensitivity } from "../agreement/length-sensitivity.ts";
import { selfContradictions } from "../agreement/self-contradictions.ts";
import { LABEL_SEARCH_MAX } from "../agreement/thresholds.ts";
import { judgeSplitOf, unknownSplits } from "../labels/judge-split.ts";
import { labelBudget } from "../labels/label-budget.ts";
import { type WeightedAgreement, weightedAgreement } from "../labels/weighted-agreement.ts";
import { type JudgedParts, NOTHING_JUDGED } from "./judged-findings.ts";
import { labelEvidence } from "./label-evidence.ts";
import { trustFindings } from "./trust-findings.ts";
import type { LabelTrustSettings } from "./trust-options.ts";
import type { JudgeDisagreement, JudgeTrust, LabelPlan, SkippedGold, TrustStatus } from "./trust-report.ts";

const SHOWN_CHARS = 200;
const SHOWN_FRACTIONS = 5;

/** The report on the verdicts that stand on the rows. No judge is called; what one said when it was is in `judged`. */
export function trustOfLabels(
  rows: readonly Row[],
  settings: LabelTrustSettings,
  judged: JudgedParts = NOTHING_JUDGED,
): JudgeTrust {
  const { gold, allowModelGold, maxSkippedShare, rule } = settings;
  const isTuned = (row: Row): boolean => judgeSplitOf(row) === "tune" && binaryReward(row, gold) !== null;
  const heldOut = rows.filter((row) => !isTuned(row));
  const { own, nUntrusted } = countedRows(heldOut, settings);
  const labeled = labeledRows(own, gold);
  const agreement = judgeAgreement(own, gold, { allowModelGold });
  const people = annotatorAgreement(own);
  const { tp, fp, fn, tn } = agreement.confusion;
  const report = {
    rule,
    nRows: rows.length,
    nLabeled: labeled.length,
    nUntrusted,
    nTuned: rows.length - heldOut.length,
    goldKind: agreement.goldKind,
    goldDegenerate: agreement.n > 0 && (tp + fn === 0 || fp + tn === 0),
    floors: {
      minAgreement: settings.minAgreement,
      minKappa: settings.minKappa,
      maxSkippedShare,
      minClassRate: settings.minClassRate,
      minPerClass: settings.minPerClass,
    },
    skipped: skippedGold(own, gold, maxSkippedShare),
    agreement,
    heldOutHalves: heldOutHalves(own, gold),
    lengthSensitivity: lengthSensitivity(own, { gold, lengthGapFlag: settings.lengthGapFlag }),
    labelPlan: labelPlan(agreement, settings),
    evidence: labelEvidence(labeled),
    weighted: weightedOf(own, agreement, settings),
    ...{ ceiling: people.ceiling, alternative: people.alternative },
    perturbation: judged.perturbation,
    probes: judged.probes,
    variants: judged.variants,
    exploitableBy: judged.probes?.exploitableBy ?? [],
    contradictions: selfContradictions(rows),
    disagreements: labeled.filter((row) => row.judge !== row.gold).map(disagreementOf),
  };
  const counts = { nJudged: own.filter((row) => binaryReward(row) !== null).length, nGold: report.skipped.nGold };
  const findings = trustFindings({ report, settings, judged, counts, labeled, unknownSplits: unknownSplits(rows) });
  const fails = findings.some(({ severity }) => severity === "fail");
  const open = findings.some(({ severity }) => severity === "open");
  const measured = report.nLabeled > 0 && agreement.trusted;
  return {
    ok: measured && !fails && !open,
    status: statusOf({ report, settings, measured, fails, open }),
    ...report,
    findings,
    warnings: findings.map(({ message }) => message),
  };
}

/** Null where there is nothing to weight back: no label, or none missing. */
function weightedOf(
  rows: readonly Row[],
  { clustered }: JudgeAgreement,
  { gold, allowModelGold }: LabelTrustSettings,
): WeightedAgreement | null {
  const designEffect = Math.max(1, clustered?.designEffect ?? 1);
  const weighted = weightedAgreement(rows, { gold, allowModelGold, designEffect });
  return weighted.nLabeled === 0 || weighted.nLabeled === weighted.nJudged ? null : weighted;
}

function skippedGold(rows: readonly Row[], gold: string, floor: number): SkippedGold {
  const withGold = rows.filter((row) => binaryReward(row, gold) !== null);
  const skipped = withGold.filter((row) => binaryReward(row) === null);
  const fractions = skipped.flatMap(({ reward }) => gradedReward({ reward: reward ?? null }) ?? []);
  const nGold = withGold.length;
  const share = nGold === 0 ? 0 : roundHalfEven(fractions.length / nGold, 4);
  return {
    nGold,
    nUsed: nGold - skipped.length,
    fractional: fractions.length,
    unscored: skipped.length - fractions.length,
    share,
    floor,
    overFloor: fractions.length > 0 && share > floor,
    examples: [...new Set(fractions.map((x) => roundHalfEven(x, 4)))].sort((a, b) => a - b).slice(0, SHOWN_FRACTIONS),
  };
}

function disagreementOf({ row, gold, judge }: LabeledRow): JudgeDisagreement {
  return {
    rowKey: rowKey(row),
    task: taskKey(row),
    gold,
    judge,
    reason: cutCodePoints(textOf(row.reason), SHOWN_CHARS),
    finalText: cutCodePoints(textOf(row.final_text), SHOWN_CHARS),
  };
}

/**
 * Asked of the shares that were seen, drawn in by half a row either way: ten right of ten are no judge that is always
 * right. A judge at its floor or under it needs no more labels.
 */
function labelPlan({ confusion: { tp, fp, fn, tn } }: JudgeAgreement, settings: LabelTrustSettings): LabelPlan {
  const planOf = (right: number, n: number, floor: number) => {
    if (n === 0) return null;
    const budget = labelBudget({ agreement: (right + 0.5) / (n + 1), floor, maxLabels: LABEL_SEARCH_MAX });
    return budget.n === null ? null : budget;
  };
  return {
    agreement: planOf(tp + tn, tp + fp + fn + tn, settings.minAgreement),
    passes: planOf(tp, tp + fn, settings.minClassRate),
    fails: planOf(tn, tn + fp, settings.minClassRate),
  };
}

function statusOf({
  report: { skipped, goldDegenerate },
  settings,
  measured,
  fails,
  open,
}: {
  report: Pick<JudgeTrust, "skipped" | "goldDegenerate">;
  settings: LabelTrustSettings;
  measured: boolean;
  fails: boolean;
  open: boolean;
}): TrustStatus {
  if (skipped.overFloor) return "inconclusive";
  if (goldDegenerate && settings.oneClass === "inconclusive") return "inconclusive";
  if (fails) return "fail";
  if (!measured) return "not_measured";
  return open ? "inconclusive" : "pass";
}

import { formatFixed, formatInterval, roundHalfEven } from "@while/schema";
import type { Interval } from "@while/stats";
import type { JudgeFinding } from "../agreement/finding.ts";
import { goldWords } from "../agreement/gold.ts";
import { GUESSING_KAPPA } from "../agreement/thresholds.ts";
import { wholePercent } from "../agreement/whole-percent.ts";
import { isShortSample, labelsAtThisShare } from "../labels/label-budget.ts";
import type { LabelTrustSettings } from "./trust-options.ts";
import type { Measured } from "./trust-report.ts";
import { RULE_SETS } from "./trust-rule.ts";
import { widerOf } from "./wider-of.ts";

/** Agreement and kappa against their floors. Labels that do not count are not held against them. */
export function floorFindings(report: Measured, settings: LabelTrustSettings): JudgeFinding[] {
  if (!report.agreement.trusted || report.agreement.n === 0) return [];
  return [...agreementFloor(report, settings), ...(report.goldDegenerate ? [] : kappaFloor(report, settings))];
}

function agreementFloor(report: Measured, settings: LabelTrustSettings): JudgeFinding[] {
  const { agreement, ci95, clustered, n } = report.agreement;
  const rule = RULE_SETS[settings.rule];
  const { minAgreement: floor } = settings;
  const overTasks = clustered?.ci95 ?? null;
  const [low, high] = widerOf(ci95!, overTasks, rule);
  if (low >= floor) return rule.clustered ? [] : clusteredNote(report, floor, overTasks);
  const point = roundHalfEven(agreement!, 4);
  const need = point > floor ? labelsAtThisShare(point, n, floor) : null;
  const labels = goldWords(report.goldKind);
  const found = `agreement with ${n} ${labels} is ${wholePercent(point)}, and may be as low as ${formatFixed(low, 3)}, under the floor ${floor}`;
  const data = { agreement: point, low, floor, n, need: isShortSample(need) ? need : null };
  const short = isShortSample(need);
  const planned = report.labelPlan.agreement?.n ?? null;
  const advice = short
    ? `the sample is short, not the judge: label about ${need} rows (attachLabels, kind ${report.goldKind})${planned === null ? "" : `, ${planned} for a chance of 80%`}`
    : "change the judge prompt or the model";
  return [
    { code: "agreement_low", severity: high < floor ? "fail" : rule.straddling, message: `${found}: ${advice}`, data },
  ];
}

/** Enough by row, and not by task: what the strict rule would say. */
function clusteredNote({ agreement }: Measured, floor: number, overTasks: Interval | null): JudgeFinding[] {
  if (overTasks === null || overTasks[0] >= floor || agreement.clustered === null) return [];
  const { nTasks, designEffect } = agreement.clustered;
  const said = `over its ${nTasks} tasks agreement is ${formatInterval(overTasks, 3)}, which reaches under the floor ${floor}: rows of one task are not independent labels (design effect ${formatFixed(designEffect, 2)}). The strict rule would leave it open`;
  return [
    {
      code: "agreement_clustered",
      severity: "note",
      message: said,
      data: { low: overTasks[0], floor, tasks: nTasks, effect: designEffect },
    },
  ];
}

function kappaFloor(report: Measured, settings: LabelTrustSettings): JudgeFinding[] {
  const { kappa, kappaCi95 } = report.agreement;
  if (kappa === null) return [];
  const rule = RULE_SETS[settings.rule];
  const { minKappa: floor } = settings;
  const [low, high] = kappaCi95 ?? [kappa, kappa];
  const data = { kappa, low, high, floor };
  // Four digits: a kappa of exactly the floor is not to fail by the noise of a double.
  const under = rule.kappaByInterval ? high < floor : roundHalfEven(kappa, 4) < floor;
  const bounds = formatInterval(kappaCi95);
  const labels = goldWords(report.goldKind);
  if (under) {
    const guessing =
      kappa < GUESSING_KAPPA
        ? ". The verdicts match about as often as a coin: the judge is guessing, fix the question before reading any check of bias"
        : "";
    const said = `kappa with ${labels} is ${formatFixed(kappa, 2)}, under the floor ${floor}: change the judge prompt or the model${guessing}`;
    return [{ code: "kappa_low", severity: "fail", message: said, data }];
  }
  if (low >= floor) return [];
  const said = rule.kappaByInterval
    ? `kappa with ${labels}, ${formatFixed(kappa, 2)}, is known to ${bounds}, on both sides of the floor ${floor}: label more rows`
    : `kappa with ${labels}, ${formatFixed(kappa, 2)}, is known to ${bounds}, on both sides of the floor ${floor}. The strict rule would leave it open`;
  return [{ code: "kappa_unsure", severity: rule.kappaByInterval ? "open" : "note", message: said, data }];
}

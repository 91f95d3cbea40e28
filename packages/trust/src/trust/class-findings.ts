import { formatFixed } from "@while/schema";
import type { Interval } from "@while/stats";
import type { JudgeFinding } from "../agreement/finding.ts";
import { goldWords } from "../agreement/gold.ts";
import { wholePercent } from "../agreement/whole-percent.ts";
import type { LabelBudget } from "../labels/label-budget.ts";
import type { LabelTrustSettings } from "./trust-options.ts";
import type { Measured } from "./trust-report.ts";
import { RULE_SETS } from "./trust-rule.ts";
import { widerOf } from "./wider-of.ts";

/**
 * Is the judge right on good work, and on bad work? Agreement alone hides one behind the other: 18 right passes and 2
 * right failures agree throughout, and say next to nothing of what the judge does with a failure. Both have to hold, so
 * nothing is lost by asking twice (an intersection of tests).
 */
export function classFindings(report: Measured, settings: LabelTrustSettings): JudgeFinding[] {
  const { agreement, labelPlan, goldDegenerate } = report;
  if (!agreement.trusted || agreement.n === 0 || goldDegenerate) return [];
  const { tp, fp, fn, tn } = agreement.confusion;
  const labels = goldWords(report.goldKind);
  const rule = RULE_SETS[settings.rule];
  const few = fewPerClass({ passes: tp + fn, failures: fp + tn, labels }, settings);
  if (few !== null) return [few];
  return [
    ...rateFinding(
      "tpr_low",
      widerOf(agreement.tprCi95!, agreement.tprOverTasks, rule),
      { right: tp, rate: agreement.tpr!, n: tp + fn, plan: labelPlan.passes, labels },
      settings,
    ),
    ...rateFinding(
      "tnr_low",
      widerOf(agreement.tnrCi95!, agreement.tnrOverTasks, rule),
      { right: tn, rate: agreement.tnr!, n: fp + tn, plan: labelPlan.fails, labels },
      settings,
    ),
  ];
}

const ASIDE = ". The strict rule would leave it open";

function fewPerClass(
  { passes, failures, labels }: { passes: number; failures: number; labels: string },
  { minPerClass, rule }: LabelTrustSettings,
): JudgeFinding | null {
  const wanted = [
    ...(passes < minPerClass ? [`${minPerClass - passes} more passes`] : []),
    ...(failures < minPerClass ? [`${minPerClass - failures} more failures`] : []),
  ];
  if (wanted.length === 0) return null;
  return {
    code: "few_per_class",
    severity: RULE_SETS[rule].errorRates.open,
    message: `the ${labels} are ${passes} passes and ${failures} failures, and either error is known from ${minPerClass} of its class on: label at least ${wanted.join(" and ")}${rule === "strict" ? "" : ASIDE}`,
    data: { passes, failures, wanted: minPerClass },
  };
}

const WORDS = {
  tpr_low: { work: "good", gold: "passes" },
  tnr_low: { work: "bad", gold: "failures" },
} as const;

function rateFinding(
  code: keyof typeof WORDS,
  [low, high]: Interval,
  {
    right,
    rate,
    n,
    plan,
    labels,
  }: { right: number; rate: number; n: number; plan: LabelBudget | null; labels: string },
  { minClassRate: floor, rule }: LabelTrustSettings,
): JudgeFinding[] {
  if (low >= floor) return [];
  const { under, open } = RULE_SETS[rule].errorRates;
  const { work, gold } = WORDS[code];
  const share = rate === right / n ? `${right} of ${n} ${gold}` : `${wholePercent(rate)} of the ${gold} (${n} labeled)`;
  const found = `the judge is right on ${share} by ${labels}, which may be as low as ${formatFixed(low, 3)} on ${work} work, under ${floor}`;
  const proven = high < floor;
  const advice = proven
    ? "change the judge prompt or the model"
    : plan === null
      ? `more ${gold} would not do at this share, change the judge`
      : `${plan.n} labeled ${gold} would do at this share, with a chance of 80%`;
  const aside = rule === "strict" ? "" : proven ? ". The strict rule would fail it" : ASIDE;
  return [
    {
      code,
      severity: proven ? under : open,
      message: `${found}: ${advice}${aside}`,
      data: { right, n, low, high, floor, need: plan?.n ?? null },
    },
  ];
}

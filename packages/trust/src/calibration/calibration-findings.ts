import { formatFixed, formatInterval, formatPercent, formatSigned } from "@while/schema";
import { ALPHA } from "@while/stats";
import type { JudgeSeverity } from "../agreement/finding.ts";
import { goldFindings } from "../agreement/gold-findings.ts";
import { MAX_GOLD_ASK, MAX_SKIPPED_SHARE, MIN_GOLD } from "../agreement/thresholds.ts";
import { counted } from "../counted.ts";
import type { CalibrationFinding, CalibrationFindingCode, JudgeCalibration } from "./calibration-report.ts";

type Measured = Omit<JudgeCalibration, "ok" | "status" | "findings" | "warnings">;

/** Scores off by this much more than chance explains, on average. */
export const CALIBRATION_GAP_FLAG = 0.05;

/** What the report found, most serious first. */
export function calibrationFindings(report: Measured): CalibrationFinding[] {
  if (report.n === 0) return [unmeasured(report)];
  const labels = [...goldFindings(report, ["label", "labels"]), ...sampleFindings(report)];
  if (isVerdict(report)) {
    const text =
      "the scores are verdicts, with nothing between that could mean more or less: read them without --calibration (judgeTrust)";
    return [...labels, finding("verdicts_alone", "open", text)];
  }
  return [...labels, ...skillFindings(report), ...gapFindings(report)];
}

/** What they come to. */
export function calibrationStatus(
  { n, trusted }: Pick<Measured, "n" | "trusted">,
  findings: readonly CalibrationFinding[],
): JudgeCalibration["status"] {
  const has = (severity: JudgeSeverity) => findings.some((finding) => finding.severity === severity);
  if (n === 0) return "not_measured";
  if (has("fail")) return "fail";
  if (!trusted) return "not_measured";
  return has("open") ? "inconclusive" : "pass";
}

/** Nothing but the lowest and the highest score. */
function isVerdict({ calibration: { bins } }: Measured): boolean {
  return bins.every(({ meanForecast }) => meanForecast === 0 || meanForecast === 1);
}

const finding = (code: CalibrationFindingCode, severity: JudgeSeverity, message: string): CalibrationFinding => ({
  ...{ code, severity, message },
});

function unmeasured({ score, nUnscored, nTuned }: Measured): CalibrationFinding {
  const why =
    nUnscored > 0
      ? `${counted(nUnscored, "row")} with a gold label and none with a number in ${score}: score them first`
      : nTuned > 0
        ? "every row with a gold label is one that the judge was tuned on: label others"
        : `no row has a gold label: put them on with attachLabels (wai label), ${MIN_GOLD} or more`;
  return finding("unmeasured", "note", `unmeasured, not failed: ${why}`);
}

/** Whether the rows that have both are a sample, and enough of one. */
function sampleFindings({ n, nUnscored, score }: Measured): CalibrationFinding[] {
  const found: CalibrationFinding[] = [];
  if (nUnscored > MAX_SKIPPED_SHARE * (n + nUnscored)) {
    const text = `${nUnscored} of ${counted(n + nUnscored, "row")} with a gold label have no number in ${score}: what is left is no sample of them`;
    found.push(finding("unscored", "open", text));
  }
  if (n < MIN_GOLD) {
    const text = `${counted(n, "label")} are few: ${MIN_GOLD} to ${MAX_GOLD_ASK} are wanted`;
    found.push(finding("coarse_sample", "warn", text));
  }
  return found;
}

function skillFindings({ calibration, nTasks }: Measured): CalibrationFinding[] {
  const { note, baseRate, skill, skillCi95 } = calibration;
  if (note === "one_class") {
    const text = `gold ${baseRate === 1 ? "passes" : "fails"} every row: nothing shows that the judge could tell the other`;
    return [finding("one_class", "open", text)];
  }
  if (skillCi95 === null) {
    const text = `${counted(nTasks, "task")} have no interval: label rows of more tasks`;
    return [finding("few_tasks", "open", text)];
  }
  const value = `skill ${formatFixed(skill, 2)} ${formatInterval(skillCi95)}`;
  if (skillCi95[1] < 0) {
    const text = `${value}: the base rate of ${formatPercent(baseRate)}, said of every row, would be nearer than the judge`;
    return [finding("no_skill", "fail", text)];
  }
  if (skillCi95[0] <= 0) {
    const text = `${value}: these labels do not show that the judge says more than the base rate of ${formatPercent(baseRate)}`;
    return [finding("skill_unsure", "open", text)];
  }
  return [];
}

function gapFindings({ calibration, mapped }: Measured): CalibrationFinding[] {
  const { ece, eceByChance, pValue, bias, biasCi95, brier, bins } = calibration;
  const found: CalibrationFinding[] = [];
  const isOff = pValue !== null && pValue < ALPHA && ece! - eceByChance! >= CALIBRATION_GAP_FLAG;
  if (isOff) {
    const worst = bins.reduce((most, bin) => (weightOf(bin) > weightOf(most) ? bin : most));
    const text = `scores are off by ${formatFixed(ece, 2)} on average, where chance gives ${formatFixed(eceByChance, 2)}: of ${counted(worst.n, "row")} scored about ${formatFixed(worst.meanForecast, 2)}, ${formatPercent(worst.rate)} pass`;
    found.push(finding("miscalibrated", "fail", text));
  }
  if (biasCi95 !== null && (biasCi95[0] > 0 || biasCi95[1] < 0)) {
    const how = bias! > 0 ? "too kind" : "too strict";
    const text = `on average ${how} by ${formatFixed(Math.abs(bias!), 2)}, ${formatInterval(biasCi95, 2, { signed: true })}`;
    found.push(finding("bias", "note", text));
  }
  if (isOff && mapped !== null && mapped.brier < brier!) {
    const text = `mapped by other tasks its scores would be off by ${formatFixed(mapped.ece, 2)}, Brier ${formatFixed(mapped.brier, 3)} (${formatSigned(mapped.brier - brier!, 3)}): map them (stampCalibrated)`;
    found.push(finding("map_helps", "note", text));
  }
  return found;
}

function weightOf({ n, meanForecast, rate }: { n: number; meanForecast: number; rate: number }): number {
  return n * Math.abs(meanForecast - rate);
}

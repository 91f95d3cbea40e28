import { formatFixed, formatInterval } from "@while/schema";
import { agreementFindings, type Halves } from "../agreement/agreement-findings.ts";
import type { JudgeFinding } from "../agreement/finding.ts";
import { goldWords, type LabeledRow } from "../agreement/gold.ts";
import { MAX_UNJUDGED_SHARE, SKEW_GAP } from "../agreement/thresholds.ts";
import { wholePercent } from "../agreement/whole-percent.ts";
import { counted } from "../counted.ts";
import { asWeighted, isDecidedByWeights } from "./as-weighted.ts";
import { classFindings } from "./class-findings.ts";
import { floorFindings } from "./floor-findings.ts";
import { type JudgedParts, judgedFindings } from "./judged-findings.ts";
import type { LabelTrustSettings } from "./trust-options.ts";
import type { Measured } from "./trust-report.ts";
import { RULE_SETS } from "./trust-rule.ts";
import { whoseRewards } from "./whose-rewards.ts";

export interface FindingsInput {
  report: Measured;
  settings: LabelTrustSettings;
  judged: JudgedParts;
  /** Rows with a verdict and rows with gold, together or apart. */
  counts: Halves;
  labeled: readonly LabeledRow[];
  /** Words in place of a split that are none. */
  unknownSplits: readonly string[];
}

/** Everything there is to say, in the order of `JudgeFindingCode`. */
export function trustFindings(input: FindingsInput): JudgeFinding[] {
  const { report, settings, judged, counts, labeled, unknownSplits } = input;
  const rule = RULE_SETS[settings.rule];
  const { weighted } = report;
  const agreement = isDecidedByWeights(weighted, rule) ? asWeighted(report.agreement, weighted) : report.agreement;
  const decided = { ...report, agreement };
  const table = agreement.n === 0 ? [] : agreementFindings(agreement, counts, { leakRule: rule.leakRule });
  const findings = [
    ...table,
    ...leftOut(report),
    ...tunedOn(report, unknownSplits),
    ...whoseRewards(labeled, judged.judgeName),
    ...mixedVersions(report),
    ...skippedFindings(input),
    ...oneClass(input),
    ...unevenLabels(report, settings),
    ...floorFindings(decided, settings),
    ...classFindings(decided, settings),
    ...skewed(report),
    ...biasFindings(input),
    ...contradictions(report),
    ...judgedFindings(judged, rule),
  ];
  const fails = findings.some(({ severity }) => severity === "fail");
  if (agreement.n === 0 && report.nTuned === 0 && !fails) {
    findings.push(...agreementFindings(agreement, counts).map(unmeasured(counts)));
  }
  return findings;
}

function unmeasured({ nJudged, nGold }: Halves): (finding: JudgeFinding) => JudgeFinding {
  const probes = nJudged > 0 && nGold === 0 ? "; probes need no labels, but a judge to call" : "";
  return (finding) => ({ ...finding, message: `unmeasured, which is not failed: ${finding.message}${probes}` });
}

function leftOut({ nUntrusted, nLabeled }: Measured): JudgeFinding[] {
  if (nUntrusted === 0) return [];
  const said = `${nUntrusted} rows are left out, whose gold is neither by people nor by programs; ${nLabeled} count`;
  return [{ code: "untrusted_left_out", severity: "note", message: said, data: { left: nUntrusted, n: nLabeled } }];
}

/** Labels that the judge was tuned on are none of its evidence. */
function tunedOn({ nTuned, nLabeled }: Measured, unknown: readonly string[]): JudgeFinding[] {
  const findings: JudgeFinding[] = [];
  if (nTuned > 0) {
    const data = { tuned: nTuned, n: nLabeled };
    const only = nLabeled === 0;
    const which = `${counted(nTuned, "labeled row")} that the judge was tuned on (lineage.judge_split)`;
    const said = only
      ? `unmeasured, which is not failed: there are ${which}, and no other with a label and a verdict. A prompt that was changed until it agreed there says nothing by agreeing there: label rows of other tasks`
      : `${which} ${nTuned === 1 ? "is" : "are"} left out; ${nLabeled} count`;
    findings.push({ code: only ? "unmeasured" : "tuned_left_out", severity: "note", message: said, data });
  }
  if (unknown.length > 0) {
    const words = unknown.slice(0, 3).map((word) => JSON.stringify(word));
    findings.push({
      code: "unknown_split",
      severity: "warn",
      message: `lineage.judge_split is ${words.join(", ")} on some rows, which is neither tune nor report: they count as evidence. Stamp them again (stampJudgeSplit)`,
      data: { words: unknown.length },
    });
  }
  return findings;
}

/** A share over the rows of two judges is that of neither. */
function mixedVersions({ evidence: { judgeVersions }, nLabeled }: Measured): JudgeFinding[] {
  if (judgeVersions.length < 2) return [];
  const [first, second] = judgeVersions;
  const more = judgeVersions.length === 2 ? "" : ` and ${judgeVersions.length - 2} more`;
  return [
    {
      code: "mixed_versions",
      severity: "warn",
      message: `the ${nLabeled} labeled rows were graded by ${judgeVersions.length} versions of the judge (${first}, ${second}${more}), and these shares are those of none of them: grade all rows with the one that you mean to use`,
      data: { versions: judgeVersions.length, n: nLabeled },
    },
  ];
}

/** Labels that were sought among the failures say how the judge does there, and not how it does. */
function unevenLabels({ weighted }: Measured, { rule }: LabelTrustSettings): JudgeFinding[] {
  if (weighted === null || !weighted.uneven) return [];
  const { labeledOfPasses, labeledOfFails, agreement, agreementCi95, tpr, tnr, nJudged, note } = weighted;
  const drawn = `people labeled ${wholePercent(labeledOfPasses)} of the rows that the judge passes and ${wholePercent(labeledOfFails)} of those that it fails, so that shares of the labels are not those of the ${nJudged} rows`;
  const data = { passes: labeledOfPasses, fails: labeledOfFails, agreement, tpr, tnr };
  if (note !== null) {
    const said = `${drawn}: label some of both`;
    return [{ code: "uneven_labels", severity: RULE_SETS[rule].errorRates.open, message: said, data }];
  }
  const back = `weighted back, agreement is ${formatFixed(agreement, 2)} ${formatInterval(agreementCi95)}, right on passes ${formatFixed(tpr, 2)}, right on fails ${formatFixed(tnr, 2)}`;
  const which = RULE_SETS[rule].weighted ? "these decide" : "the strict rule decides by these";
  return [{ code: "uneven_labels", severity: "note", message: `${drawn}; ${back}: ${which}`, data }];
}

function skippedFindings({ report, settings }: FindingsInput): JudgeFinding[] {
  const { fractional, unscored, nGold, nUsed, share, floor, overFloor, examples } = report.skipped;
  const findings: JudgeFinding[] = [];
  const fix = 'make the judge decide: a Criterion with kind: "hard", or a threshold on its score first';
  if (fractional > 0) {
    const counted = `${fractional} of ${nGold} labeled rows have a reward between 0 and 1 (${examples.join(", ")}) and are skipped`;
    const data = { fractional, gold: nGold, used: nUsed, share, floor };
    findings.push(
      overFloor
        ? {
            code: "skipped_over_floor",
            severity: "fail",
            message: `${counted}: ${formatFixed(share, 4)}, over MAX_SKIPPED_SHARE ${floor}. The rows that are left are those it was sure of, so agreement reads high; ${fix}`,
            data,
          }
        : {
            code: "skipped_some",
            severity: "note",
            message: `${counted}: ${formatFixed(share, 4)}, not over MAX_SKIPPED_SHARE ${floor}, so the verdict stands; ${fix}`,
            data,
          },
    );
  }
  const missing = nGold === 0 ? 0 : unscored / nGold;
  if (missing > MAX_UNJUDGED_SHARE && nUsed > 0) {
    findings.push({
      code: "unjudged",
      severity: RULE_SETS[settings.rule].unjudged,
      message: `${unscored} of ${nGold} labeled rows have no verdict (${wholePercent(missing)}): the ones a judge fails to read are long and hard ones, grade them again`,
      data: { unscored, gold: nGold, share: missing, floor: MAX_UNJUDGED_SHARE },
    });
  }
  return findings;
}

function oneClass({ report, settings }: FindingsInput): JudgeFinding[] {
  if (!report.goldDegenerate) return [];
  const { tp, fn } = report.agreement.confusion;
  const [only, other] = tp + fn > 0 ? ["passes", "failures"] : ["failures", "passes"];
  return [
    {
      code: "one_class",
      severity: settings.oneClass === "warn" ? "warn" : "open",
      message: `only ${only} were labeled (${goldWords(report.goldKind)}): kappa and the length check say nothing, and a judge that always says the same would pass; label some ${other}`,
      data: { only, n: report.nLabeled },
    },
  ];
}

function skewed({ agreement: { kappa, ac1 } }: Measured): JudgeFinding[] {
  if (kappa === null || ac1 === null || Math.abs(ac1 - kappa) <= SKEW_GAP) return [];
  const said = `kappa ${formatFixed(kappa, 2)} and AC1 ${formatFixed(ac1, 2)} are far apart: one class is rare, and the correction for chance is mostly about that`;
  return [{ code: "kappa_skewed", severity: "note", message: said, data: { kappa, ac1 } }];
}

function biasFindings({ report, settings }: FindingsInput): JudgeFinding[] {
  const { heldOutHalves: halves, lengthSensitivity: length, goldDegenerate } = report;
  const labels = goldWords(report.goldKind);
  const findings: JudgeFinding[] = [];
  if (halves.flagged && halves.gap !== null) {
    findings.push({
      code: "halves_gap",
      severity: "warn",
      message: `agreement with ${labels} is ${wholePercent(halves.a.agreement)} on one half of the tasks and ${wholePercent(halves.b.agreement)} on the other (p ${formatFixed(halves.pValue, 3)}): the rubric may be fit to the examples it was tuned on`,
      data: { gap: halves.gap, p: halves.pValue, a: halves.a.n, b: halves.b.n },
    });
  }
  if (goldDegenerate) return findings;
  const { flagged, pooledFlagged } = RULE_SETS[settings.rule].lengthTogether ? length.together : length;
  if (flagged && length.maxGap !== null) {
    findings.push({
      code: "length_bias",
      severity: "fail",
      message: `the judge pays for length: long and short replies with the same label (${labels}) are passed up to ${formatFixed(length.maxGap, 2)} apart`,
      data: { gap: length.maxGap, flag: settings.lengthGapFlag },
    });
  } else if (pooledFlagged && length.pooled !== null) {
    const { delta, oddsRatio, pValue } = length.pooled;
    const odds = oddsRatio === null ? "" : `, odds ratio ${formatFixed(oddsRatio, 2)}`;
    findings.push({
      code: "length_pooled",
      severity: RULE_SETS[settings.rule].pooledLength,
      message: `over both labels together the judge passes ${delta > 0 ? "long" : "short"} replies more often, by ${formatFixed(Math.abs(delta), 2)}${odds} (p ${pValue < 0.001 ? "< 0.001" : formatFixed(pValue, 3)}): a moderate gap that no single label shows`,
      data: { gap: delta, odds: oddsRatio, p: pValue },
    });
  }
  return findings;
}

function contradictions({ contradictions }: Measured): JudgeFinding[] {
  const [first] = contradictions;
  if (first === undefined) return [];
  const { nPass, nFail } = first;
  const more = contradictions.length === 1 ? "" : `, and ${contradictions.length - 1} more replies`;
  return [
    {
      code: "contradiction",
      severity: "warn",
      message: `the judge contradicts itself: one reply to one task, ${nPass + nFail} rows, ${nPass} passed and ${nFail} failed${more}. Contrast between such rows is its noise: read them first`,
      data: { replies: contradictions.length, passed: nPass, failed: nFail },
    },
  ];
}

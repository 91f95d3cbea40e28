import { formatFixed, formatInterval, formatSigned } from "@while/schema";
import { goldWords } from "../agreement/gold.ts";
import type { HalfAgreement } from "../agreement/held-out-halves.ts";
import type { LengthGap } from "../agreement/length-sensitivity.ts";
import { wholePercent } from "../agreement/whole-percent.ts";
import { counted } from "../counted.ts";
import type { ProbeResult } from "../probes/judge-probes.ts";
import type { VariantResult } from "../probes/variant-check.ts";
import type { JudgeTrust } from "./trust-report.ts";

/** The verdict in a line, what it rests on, and every finding behind a `!`. */
export function formatJudgeTrust(report: JudgeTrust): string {
  const { disagreements, contradictions, warnings, ceiling } = report;
  return [
    ...headline(report),
    ...agreementLines(report),
    ...(ceiling === null ? [] : [ceilingLine(ceiling)]),
    ...standInLine(report.alternative),
    ...budgetLine(report),
    ...lengthLine(report),
    ...perturbationLine(report),
    ...[...(report.variants?.variants ?? [])].map(([name, result]) => variantLine(name, result)),
    ...[...(report.probes?.probes ?? [])].map(([name, probe]) => probeLine(name, probe)),
    ...contradictions
      .slice(0, 1)
      .map(({ nPass, nFail }) => `  one reply, two verdicts: ${nPass} passed, ${nFail} failed`),
    `  disagreements ${disagreements.length}`,
    ...warnings.map((warning) => `! ${warning}`),
  ].join("\n");
}

function headline({
  status,
  skipped,
  goldDegenerate,
  agreement,
  goldKind,
  rule,
  findings,
  nLabeled,
}: JudgeTrust): string[] {
  const by = rule === "strict" ? " (strict rule)" : "";
  if (skipped.overFloor) {
    const { nGold, nUsed, share, floor } = skipped;
    return [
      `INCONCLUSIVE: ${skipped.fractional} of ${nGold} labeled rows skipped (${formatFixed(share, 2)}, over MAX_SKIPPED_SHARE ${floor}); usable n=${nUsed}${by}`,
      '  make the judge decide: Criterion with kind: "hard", or a threshold on its score first; judgeCalibration reads chances of a pass',
    ];
  }
  const codes = (severity: string) =>
    [...new Set(findings.filter((finding) => finding.severity === severity).map(({ code }) => code))].join(", ");
  if (status === "inconclusive") {
    const why = goldDegenerate
      ? "gold has one class alone, so that nothing shows the judge could tell the other"
      : codes("open") === "no_answer"
        ? "the judge gave no verdict when it was called again"
        : `these labels cannot tell: ${codes("open")}`;
    return [`INCONCLUSIVE: ${why}${by}`];
  }
  if (status === "not_measured") {
    const why =
      nLabeled === 0 ? "no row has both a verdict and a gold label" : `${goldWords(goldKind)} measure no judge`;
    return [`NOT MEASURED: ${why}${by}`];
  }
  if (status === "fail") return [`FAIL: ${codes("fail")}${by}`];
  return [`PASS: agrees with ${goldWords(goldKind)} on ${wholePercent(agreement.agreement)} of ${nLabeled} rows${by}`];
}

function agreementLines({ agreement, skipped, goldKind, heldOutHalves, goldDegenerate }: JudgeTrust): string[] {
  const { n, ci95, kappa, kappaCi95, confusion, tpr, tprCi95, tnr, tnrCi95, clustered } = agreement;
  if (agreement.agreement === null || ci95 === null) return [];
  const left = skipped.nGold - skipped.nUsed;
  const chance = kappa === null ? "kappa not measured" : `kappa ${formatFixed(kappa, 2)} ${formatInterval(kappaCi95)}`;
  const half = (name: string, { n: rows, agreement: share }: HalfAgreement) =>
    rows === 0 ? [] : [`  half ${name}: agreement ${wholePercent(share)} of ${rows}`];
  const { tp, fp, fn, tn } = confusion;
  return [
    `  agreement ${wholePercent(agreement.agreement)}, 95% ${wholePercent(ci95[0])}..${wholePercent(ci95[1])}, n=${n} ${goldWords(goldKind)}${left === 0 ? "" : `, ${left} skipped`}, ${chance}`,
    ...(clustered?.designEffect == null
      ? []
      : [
          `  over ${clustered.nTasks} tasks ${formatInterval(clustered.ci95)}, design effect ${formatFixed(clustered.designEffect, 2)}`,
        ]),
    `  both pass ${tp}, both fail ${tn}, only the judge passes ${fp}, only gold passes ${fn}`,
    ...(goldDegenerate
      ? []
      : [
          `  right on passes ${formatFixed(tpr, 2)} ${formatInterval(tprCi95)}, right on fails ${formatFixed(tnr, 2)} ${formatInterval(tnrCi95)}`,
        ]),
    ...half("a", heldOutHalves.a),
    ...half("b", heldOutHalves.b),
  ];
}

function ceilingLine(ceiling: NonNullable<JudgeTrust["ceiling"]>): string {
  const { pair, humanAgreement, humanKappa, nHuman, judgeAgreement } = ceiling;
  const judge = judgeAgreement === null ? "" : `; the judge agrees with them on ${wholePercent(judgeAgreement)}`;
  const kappa = humanKappa === null ? "" : `, kappa ${formatFixed(humanKappa, 2)}`;
  return `  ${pair.join(" and ")} agree on ${wholePercent(humanAgreement)} of ${nHuman}${kappa}${judge}`;
}

function standInLine({ standIns, winningRate, passes, epsilon }: JudgeTrust["alternative"]): string[] {
  if (winningRate === null) return [];
  const wins = standIns.filter((one) => one.wins).length;
  return [
    `  in place of ${wins} of ${standIns.length} people the judge agrees with the others about as well as they do (up to ${epsilon}), which is ${passes ? "enough" : "too few"} to stand in for them`,
  ];
}

/** What to label, where labels are what is missing. */
function budgetLine({ status, labelPlan, floors, findings, goldDegenerate }: JudgeTrust): string[] {
  const { agreement, passes, fails } = labelPlan;
  const wantsLabels =
    goldDegenerate || findings.some(({ code, severity }) => severity === "open" && code !== "no_answer");
  if (status !== "inconclusive" || !wantsLabels || agreement?.n == null) return [];
  const [good, bad] = [passes, fails].map((plan) => (plan?.n == null ? null : Math.max(plan.n, floors.minPerClass)));
  const both = good != null && bad != null;
  const rows = both ? Math.max(agreement.n, good + bad) : agreement.n;
  const classes = both ? `, of which ${good} that gold passes and ${bad} that it fails` : "";
  return [
    `  label budget: ${rows} rows${classes}: a chance of 80% to clear the floors, if these shares are the judge's`,
  ];
}

function pText(p: number): string {
  return p < 0.001 ? "p < 0.001" : `p ${formatFixed(p, 3)}`;
}

function lengthLine({ lengthSensitivity: length, goldDegenerate }: JudgeTrust): string[] {
  if (goldDegenerate) return ["  length not measured: gold has one class alone"];
  if (length.maxGap === null) return [];
  const gapOf = (gap: object, label: number) =>
    "pValue" in gap
      ? [`gold ${label} ${formatSigned((gap as LengthGap).gapLongMinusShort, 2)} (${pText((gap as LengthGap).pValue)})`]
      : [];
  const gaps = [...gapOf(length.gold_1, 1), ...gapOf(length.gold_0, 0)].join(", ");
  const pooled =
    length.pooled === null ? "" : `, both ${formatSigned(length.pooled.delta, 2)} (${pText(length.pooled.pValue)})`;
  return [`  length, long less short: ${gaps}${pooled}${length.flagged ? " FLAG" : ""}`];
}

function perturbationLine({ perturbation }: JudgeTrust): string[] {
  if (perturbation === null) return [];
  const { n, note, consistencyFlipRate, consistencyCi95, fillerFlipRate, nFiller, errors } = perturbation;
  if (note !== null) return [`  judged again: not measured, ${note}`];
  if (n === 0) return [`  judged again: not measured, ${counted(errors, "call")} without a verdict`];
  const failed = errors === 0 ? "" : `, ${errors} calls without a verdict`;
  return [
    `  judged again: ${wholePercent(consistencyFlipRate)} ${formatInterval(consistencyCi95)} of ${n} changed, with filler ${wholePercent(fillerFlipRate)} of ${nFiller}${failed}`,
  ];
}

function variantLine(name: string, { n, flipRate, ci95, flipsByItself, errors, flagged }: VariantResult): string {
  if (flipRate === null)
    return `  asked otherwise, ${name}: not measured, ${counted(errors, "call")} without a verdict`;
  const failed = errors === 0 ? "" : `, ${counted(errors, "call")} without a verdict`;
  return `  asked otherwise, ${name}: ${wholePercent(flipRate)} ${formatInterval(ci95)} of ${n} changed, ${flipsByItself} by a second reading${failed}${flagged ? " FLAG" : ""}`;
}

function probeLine(name: string, probe: ProbeResult): string {
  const { skipped, exploitRate, ci95, passBefore, passAfter, flipsUp, flipsDown, kind, denominator } = probe;
  if (skipped !== null) return `  probe ${name}: skipped, ${skipped}`;
  if (exploitRate === null) return `  probe ${name}: not measured, it could work on no row`;
  const moved = kind === "additive" ? `, +${flipsUp}/-${flipsDown}` : "";
  const power = probe.lowPower
    ? ` low power (n=${denominator}; resolves about ${formatFixed(probe.resolves, 1)} at 80% power)`
    : "";
  const end = probe.flagged ? " EXPLOITABLE" : power;
  return `  probe ${name}: ${wholePercent(exploitRate)} ${formatInterval(ci95)}, pass ${passBefore} -> ${passAfter}${moved}${end}`;
}

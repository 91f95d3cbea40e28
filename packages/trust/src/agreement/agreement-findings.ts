import { formatFixed } from "@while/schema";
import { counted } from "../counted.ts";
import type { JudgeAgreement } from "./agreement-report.ts";
import type { JudgeFinding } from "./finding.ts";
import { goldWords } from "./gold.ts";
import { LEAK_THRESHOLD, MAX_GOLD_ASK, MIN_GOLD } from "./thresholds.ts";
import { wholePercent } from "./whole-percent.ts";

/** Rows with a verdict, and rows with gold, whether or not they are the same. */
export interface Halves {
  nJudged: number;
  nGold: number;
}

/** A leak by its value; or by its lower bound, over rows and over tasks. */
export type LeakRule = "point" | "bound";

/** What the table of verdicts against gold gives to say, before anybody holds a floor against it. */
export function agreementFindings(
  report: Omit<JudgeAgreement, "warnings">,
  halves: Halves,
  { leakRule = "point" }: { leakRule?: LeakRule } = {},
): JudgeFinding[] {
  const { n, goldKind, trusted } = report;
  if (n === 0) return [missingHalf(halves)];
  const findings: JudgeFinding[] = [];
  const labels = goldWords(goldKind);
  if (n < MIN_GOLD) {
    findings.push({
      code: "coarse_sample",
      severity: "warn",
      message: `${n} ${labels}: every share here is coarse, ${MIN_GOLD} to ${MAX_GOLD_ASK} are wanted`,
      data: { n, wanted: MIN_GOLD },
    });
  }
  const leak = leakFinding(report, labels, leakRule);
  if (leak !== null) findings.push(leak);
  if (!trusted) findings.push(untrustedGold(goldKind, n));
  return findings;
}

function leakFinding(
  {
    confusion: { fp, tn },
    passWhenGoldFail: leak,
    passWhenGoldFailCi95: ci95,
    tnrOverTasks,
  }: Omit<JudgeAgreement, "warnings">,
  labels: string,
  rule: LeakRule,
): JudgeFinding | null {
  if (leak === null || fp === 0 || leak < LEAK_THRESHOLD) return null;
  const low =
    rule === "bound" && tnrOverTasks !== null ? Math.max(0, Math.min(ci95![0], 1 - tnrOverTasks[1])) : ci95![0];
  const data = { fp, failures: fp + tn, share: leak, low, threshold: LEAK_THRESHOLD };
  const passed =
    leak === fp / (fp + tn)
      ? `the judge passes ${fp} of the ${fp + tn} rows that ${labels} fail (${wholePercent(leak)})`
      : `the judge passes ${wholePercent(leak)} of the rows that ${labels} fail, ${fp} of the ${fp + tn} labeled ones`;
  if (rule === "bound" && low < LEAK_THRESHOLD) {
    const said = `${passed}; it may be under ${wholePercent(LEAK_THRESHOLD)} all the same (95% from ${formatFixed(low, 3)}): label more failures`;
    return { code: "leak_unsure", severity: "warn", message: said, data };
  }
  return { code: "leak", severity: "fail", message: `${passed}: those rows train the failure`, data };
}

function untrustedGold(kind: string | null, n: number): JudgeFinding {
  const whose =
    kind === "unknown"
      ? `nothing says who wrote the ${n} gold labels: attach them with attachLabels and their kind (human, program)`
      : `the ${n} gold labels are by another kind than people and programs (${kind}): a model's labels do not measure a judge, label ${MIN_GOLD} rows by hand (attachLabels, kind human)`;
  return { code: "untrusted_gold", severity: "warn", message: whose, data: { kind, n } };
}

/** Which half of a comparison is not there, and how it comes to be. */
function missingHalf({ nJudged, nGold }: Halves): JudgeFinding {
  const label = `attach labels of people (attachLabels, kind human) to ${MIN_GOLD} rows`;
  const said =
    nJudged === 0 && nGold === 0
      ? `no row has a verdict of 0 or 1, and none has a gold label: score the rows first, then ${label}`
      : nJudged === 0
        ? `${have(nGold)} a gold label and none a verdict of 0 or 1: score the rows first`
        : nGold === 0
          ? `${have(nJudged)} a verdict and none a gold label: ${label}`
          : `${have(nJudged)} a verdict and ${nGold} a gold label, and none has both: label rows that were scored`;
  return { code: "unmeasured", severity: "note", message: said, data: { judged: nJudged, gold: nGold } };
}

function have(n: number): string {
  return `${counted(n, "row")} ${n === 1 ? "has" : "have"}`;
}

import { type Row, rowKey } from "@while/schema";
import {
  binaryReward,
  clusteredStandardError,
  cohenKappa,
  type Inference,
  type Interval,
  kappaStandardError,
  labelAgreement,
  matthewsCorrelation,
  scottPi,
  wilsonInterval,
} from "@while/stats";
import { TrustError } from "../trust-error.ts";
import { agreementFindings } from "./agreement-findings.ts";
import type { ClusteredAgreement, JudgeAgreement } from "./agreement-report.ts";
import { GOLD_FIELD, isTrustedRow, reportedKind } from "./gold.ts";
import { taskClusters } from "./task-clusters.ts";

export interface JudgeAgreementOptions {
  /** The field of the verdict. */
  reward?: string;
  /** Gold by a model, or by nobody knows whom, counts as gold. */
  allowModelGold?: boolean;
  /** `compat`: kappa is a number on one class too, as in the Python SDK. */
  inference?: Inference;
}

/**
 * How often the judge says what gold says: agreement with its interval, kappa, and both kinds of error. Cohen 1960;
 * Wilson 1927; 50 to 200 held-out labels (Lambert 2025, chapter Reward Modeling).
 *
 * Kappa is null on gold of one class: nothing shows that the judge could tell the other one. The Python SDK gives 0 or 1
 * there, and so does `inference: "compat"`.
 *
 * @param gold A field of the rows, or other rows whose `reward` is gold for the row of the same key. Those count as
 *   gold by a model, since nobody knows better
 * @throws TrustError `bad_option` for an empty field name
 */
export function judgeAgreement(
  rows: readonly Row[],
  gold: string | readonly Row[] = GOLD_FIELD,
  { reward = "reward", allowModelGold = false, inference = "strict" }: JudgeAgreementOptions = {},
): JudgeAgreement {
  if (gold === "" || reward === "") {
    throw new TrustError("bad_option", "judgeAgreement got an empty field name.", "Name the field of the rows.");
  }
  const sides = typeof gold === "string" ? sidesOfField(rows, gold, reward) : sidesOfTwins(rows, gold, reward);
  const { judge, label, goldKind, trusted, nUnmatched } = sides;
  const { n, tp, fp, fn, tn, ...shares } = labelAgreement(judge, label);
  const confusion = { tp, fp, fn, tn };
  const oneClass = inference === "strict" && n > 0 && (tp + fn === 0 || fp + tn === 0);
  const error = oneClass ? null : kappaStandardError(confusion);
  const kappa = oneClass ? null : cohenKappa(confusion, { inference });
  const report = {
    n,
    nSkipped: shares.nSkipped,
    nUnmatched,
    agreement: shares.agreement,
    ci95: shares.ci95,
    clustered: clusteredAgreement(
      rows,
      judge.map((verdict, i) => (verdict === null || label[i] === null ? null : Number(verdict === label[i]))),
    ),
    kappa,
    kappaSe: error?.se ?? null,
    kappaCi95: error?.ci95 ?? null,
    kappaNote: n === 0 ? ("no_labels" as const) : kappa === null ? ("one_class" as const) : null,
    confusion,
    passWhenGoldFail: shares.passWhenGoldFail,
    passWhenGoldFailCi95: wilsonInterval(fp, fp + tn),
    failWhenGoldPass: shares.failWhenGoldPass,
    failWhenGoldPassCi95: wilsonInterval(fn, fn + tp),
    tpr: rate(tp, tp + fn),
    tprCi95: wilsonInterval(tp, tp + fn),
    tnr: rate(tn, tn + fp),
    tnrCi95: wilsonInterval(tn, tn + fp),
    tprOverTasks: rightOverTasks(rows, sides, 1),
    tnrOverTasks: rightOverTasks(rows, sides, 0),
    ac1: shares.ac1,
    pabak: shares.pabak,
    scottPi: scottPi(confusion),
    mcc: matthewsCorrelation(confusion),
    judgePassRate: shares.judgePassRate,
    goldPassRate: shares.goldPassRate,
    goldKind,
    trusted: trusted || (allowModelGold && n > 0),
    ok: n > 0 && (trusted || allowModelGold),
    inference,
  };
  const halves = { nJudged: count(judge), nGold: count(label) };
  return { ...report, warnings: agreementFindings(report, halves).map(({ message }) => message) };
}

interface Sides {
  judge: (0 | 1 | null)[];
  label: (0 | 1 | null)[];
  goldKind: string | null;
  trusted: boolean;
  nUnmatched: number;
}

function sidesOfField(rows: readonly Row[], gold: string, reward: string): Sides {
  const judge = rows.map((row) => binaryReward(row, reward));
  const label = rows.map((row) => binaryReward(row, gold));
  const both = rows.filter((_, i) => judge[i] !== null && label[i] !== null);
  // Without a verdict the kind is still worth saying: whose labels wait for one.
  const measured = both.length > 0 ? both : rows.filter((_, i) => label[i] !== null);
  const kind = reportedKind(measured, gold);
  return {
    judge,
    label,
    ...kind,
    trusted: kind.trusted && both.every((row) => isTrustedRow(row, gold)),
    nUnmatched: 0,
  };
}

function sidesOfTwins(rows: readonly Row[], others: readonly Row[], reward: string): Sides {
  const twins = new Map<string, Row>();
  for (const other of others) {
    const key = rowKey(other);
    if (!twins.has(key)) twins.set(key, other);
  }
  const pairs = rows.map((row) => twins.get(rowKey(row)) ?? null);
  return {
    judge: rows.map((row) => binaryReward(row, reward)),
    label: pairs.map((twin) => (twin === null ? null : binaryReward(twin))),
    goldKind: pairs.some((twin) => twin !== null) ? "model" : null,
    trusted: false,
    nUnmatched: pairs.filter((twin) => twin === null).length,
  };
}

/** Right verdicts on the rows of one gold label, with tasks as the draws. */
function rightOverTasks(rows: readonly Row[], { judge, label }: Sides, gold: 0 | 1): Interval | null {
  const right = judge.map((verdict, i) => (verdict === null || label[i] !== gold ? null : Number(verdict === gold)));
  return clusteredAgreement(rows, right)?.ci95 ?? null;
}

/** @param agrees 1 or 0 for a row that takes part */
function clusteredAgreement(rows: readonly Row[], agrees: readonly (number | null)[]): ClusteredAgreement | null {
  const tasks = taskClusters(rows.filter((_, i) => agrees[i] !== null));
  const values = agrees.filter((value) => value !== null);
  if (new Set(tasks).size === values.length) return null;
  const clustered = clusteredStandardError(values, tasks);
  if (clustered === null) return null;
  const { mean, nClusters, se, ci95 } = clustered;
  const seNaive = Math.sqrt((mean * (1 - mean)) / values.length);
  const bounds: Interval | null = ci95 === null ? null : [Math.max(0, ci95[0]), Math.min(1, ci95[1])];
  return { nTasks: nClusters, se, seNaive, ci95: bounds, designEffect: seNaive === 0 ? null : (se / seNaive) ** 2 };
}

function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function count(labels: readonly (0 | 1 | null)[]): number {
  return labels.filter((label) => label !== null).length;
}

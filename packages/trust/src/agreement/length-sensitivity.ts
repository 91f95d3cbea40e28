import { blockText, codePointLength, messagesOf, type Row, textOf } from "@while/schema";
import { ALPHA, type MantelHaenszel, mantelHaenszel, type SuccessCount, twoProportionP } from "@while/stats";
import { GOLD_FIELD, labeledRows } from "./gold.ts";
import { LENGTH_GAP_FLAG, LENGTH_MIN_ROWS_PER_LABEL, LENGTH_POOLED_FLAG } from "./thresholds.ts";

export interface LengthSensitivityOptions {
  gold?: string;
  /** A gap from short to long that matters, inside one gold label. */
  lengthGapFlag?: number;
}

/** Verdicts on short and long replies that gold calls the same. */
export interface LengthGap {
  n: number;
  nShort: number;
  nLong: number;
  /** Upper median of the reply's characters; long is from it on. */
  medianChars: number;
  judgePassShort: number;
  judgePassLong: number;
  gapLongMinusShort: number;
  pValue: number;
}

/** Why a label has no gap. */
export interface NoLengthGap {
  n: number;
  note: "too few rows" | "no length spread";
}

export interface LengthSensitivity {
  gold_1: LengthGap | NoLengthGap;
  gold_0: LengthGap | NoLengthGap;
  /** The widest gap either way; null where neither label has one. */
  maxGap: number | null;
  flagged: boolean;
  /** Both labels in one test; null where neither label can part long from short. */
  pooled: MantelHaenszel | null;
  /** A gap of a twentieth or more over both labels that is told from noise. */
  pooledFlagged: boolean;
  /** The same two as one family: either of them raises a false alarm in one honest judge of twenty. */
  together: { flagged: boolean; pooledFlagged: boolean };
}

/**
 * Does the judge pass long replies more often than short ones of the same worth? Rows of one gold label are cut at their
 * median length, so that length cannot stand for quality. Zheng et al. 2023; Lambert 2025, chapter Reward Modeling.
 *
 * `flagged` is the rule of the Python SDK: a gap of 0.15 in one of the two labels, p under 0.025. It misses a bias that is
 * moderate in both; `pooled` holds gold fixed and tests it once (Cochran 1954, Mantel and Haenszel 1959). Whoever lets
 * either of them decide asks twice: `together` has both after Holm 1979, the two labels being one test of the smaller p,
 * doubled.
 */
export function lengthSensitivity(
  rows: readonly Row[],
  { gold = GOLD_FIELD, lengthGapFlag = LENGTH_GAP_FLAG }: LengthSensitivityOptions = {},
): LengthSensitivity {
  const labeled = labeledRows(rows, gold).map(({ row, gold: label, judge }) => ({
    chars: replyLength(row),
    label,
    judge,
  }));
  const strata: (readonly [SuccessCount, SuccessCount])[] = [];
  const gapOf = (label: 0 | 1): LengthGap | NoLengthGap => {
    const own = labeled.filter((row) => row.label === label);
    const n = own.length;
    if (n < LENGTH_MIN_ROWS_PER_LABEL) return { n, note: "too few rows" };
    const medianChars = own.map(({ chars }) => chars).sort((a, b) => a - b)[Math.floor(n / 2)]!;
    const short = verdicts(own.filter(({ chars }) => chars < medianChars));
    const long = verdicts(own.filter(({ chars }) => chars >= medianChars));
    if (short.n === 0 || long.n === 0) return { n, note: "no length spread" };
    strata.push([short, long]);
    const [judgePassShort, judgePassLong] = [short.successes / short.n, long.successes / long.n];
    return {
      n,
      nShort: short.n,
      nLong: long.n,
      medianChars,
      judgePassShort,
      judgePassLong,
      gapLongMinusShort: judgePassLong - judgePassShort,
      // All verdicts alike: no gap, and nothing against it.
      pValue: twoProportionP(short, long) ?? 1,
    };
  };
  const gaps = { gold_1: gapOf(1), gold_0: gapOf(0) };
  const measured = Object.values(gaps).filter((gap) => "pValue" in gap);
  const pooled = mantelHaenszel(strata);
  // Two labels are two chances of a false alarm.
  const labelP = (gap: LengthGap): number => Math.min(1, 2 * gap.pValue);
  const flaggedAt = (level: number): boolean =>
    measured.some((gap) => Math.abs(gap.gapLongMinusShort) >= lengthGapFlag && labelP(gap) < level);
  const pooledAt = (level: number): boolean =>
    pooled !== null && Math.abs(pooled.delta) >= LENGTH_POOLED_FLAG && pooled.pValue < level;
  const levels = levelsOf(Math.min(1, ...measured.map(labelP)), pooled?.pValue ?? 1);
  return {
    ...gaps,
    maxGap: measured.length === 0 ? null : Math.max(...measured.map((gap) => Math.abs(gap.gapLongMinusShort))),
    flagged: flaggedAt(ALPHA),
    pooled,
    pooledFlagged: pooledAt(ALPHA),
    together: { flagged: flaggedAt(levels.labels), pooledFlagged: pooledAt(levels.pooled) },
  };
}

/** Holm's step down: the smaller p at half the level, the other at the whole of it once the smaller is under its own. */
function levelsOf(labels: number, pooled: number): { labels: number; pooled: number } {
  const first = ALPHA / 2;
  const second = Math.min(labels, pooled) < first ? ALPHA : first;
  return labels <= pooled ? { labels: first, pooled: second } : { labels: second, pooled: first };
}

function verdicts(rows: readonly { judge: 0 | 1 }[]): SuccessCount {
  return { successes: rows.filter(({ judge }) => judge === 1).length, n: rows.length };
}

/** Characters that the agent said: every turn of it, and the final text where that is none of them. */
function replyLength(row: Row): number {
  const said = messagesOf(row).flatMap(({ role, content }) => (role === "assistant" ? [blockText(content)] : []));
  const finalText = textOf(row.final_text);
  if (finalText !== (said.at(-1) ?? "")) said.push(finalText);
  return said.reduce((chars, text) => chars + codePointLength(text), 0);
}

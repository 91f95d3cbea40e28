import type { Row } from "@while/schema";
import { ALPHA, type MantelHaenszel, mantelHaenszel, type SuccessCount, twoProportionP } from "@while/stats";
import { GOLD_FIELD, labeledRows } from "./gold.ts";
import { longShortByTask, type SidedVerdict } from "./long-short-by-task.ts";
import { replyLength } from "./reply-length.ts";
import { taskClusters } from "./task-clusters.ts";
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
  /** The same with tasks as the draws; null where no task has two labeled rows. */
  pOverTasks: number | null;
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
  /**
   * The same two as one family, and with tasks as the draws: either of them raises a false alarm in one honest judge of
   * twenty, also where the rollouts of a task share their luck. `pPooledOverTasks` is the p of the pooled test over tasks;
   * null where no task has two labeled rows.
   */
  together: { flagged: boolean; pooledFlagged: boolean; pPooledOverTasks: number | null };
}

/**
 * Does the judge pass long replies more often than short ones of the same worth? Rows of one gold label are cut at their
 * median length, so that length cannot stand for quality. Zheng et al. 2023; Lambert 2025, chapter Reward Modeling.
 *
 * `flagged` is the rule of the Python SDK: a gap of 0.15 in one of the two labels, p under 0.025. It misses a bias that is
 * moderate in both; `pooled` holds gold fixed and tests it once (Cochran 1954, Mantel and Haenszel 1959). Whoever lets
 * either of them decide asks twice: `together` has both after Holm 1979, the two labels being one test of the smaller p,
 * doubled, and each p the larger of that over rows and that over tasks (`longShortByTask`).
 */
export function lengthSensitivity(
  rows: readonly Row[],
  { gold = GOLD_FIELD, lengthGapFlag = LENGTH_GAP_FLAG }: LengthSensitivityOptions = {},
): LengthSensitivity {
  const rowsWithBoth = labeledRows(rows, gold);
  const tasks = taskClusters(rowsWithBoth.map(({ row }) => row));
  const labeled = rowsWithBoth.map(({ row, gold: label, judge }, i) => ({
    chars: replyLength(row),
    task: tasks[i]!,
    label,
    judge,
  }));
  const strata: (readonly [SuccessCount, SuccessCount])[] = [];
  const sides: SidedVerdict[][] = [];
  const gapOf = (label: 0 | 1): LengthGap | NoLengthGap => {
    const own = labeled.filter((row) => row.label === label);
    const n = own.length;
    if (n < LENGTH_MIN_ROWS_PER_LABEL) return { n, note: "too few rows" };
    const medianChars = own.map(({ chars }) => chars).sort((a, b) => a - b)[Math.floor(n / 2)]!;
    const short = verdicts(own.filter(({ chars }) => chars < medianChars));
    const long = verdicts(own.filter(({ chars }) => chars >= medianChars));
    if (short.n === 0 || long.n === 0) return { n, note: "no length spread" };
    strata.push([short, long]);
    const sided = own.map(({ chars, task, judge }) => ({ task, judge, isLong: chars >= medianChars }));
    sides.push(sided);
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
      pOverTasks: longShortByTask([sided]),
    };
  };
  const gaps = { gold_1: gapOf(1), gold_0: gapOf(0) };
  const measured = Object.values(gaps).filter((gap) => "pValue" in gap);
  const pooled = mantelHaenszel(strata);
  const pPooledOverTasks = longShortByTask(sides);
  const byRow = familyOf(measured, (gap) => gap.pValue, pooled?.pValue ?? 1);
  const byTask = familyOf(
    measured,
    (gap) => Math.max(gap.pValue, gap.pOverTasks ?? 0),
    Math.max(pooled?.pValue ?? 1, pPooledOverTasks ?? 0),
  );
  const flaggedAt = ({ labelP }: Family, level: number): boolean =>
    measured.some((gap, i) => Math.abs(gap.gapLongMinusShort) >= lengthGapFlag && labelP[i]! < level);
  const pooledAt = ({ pooledP }: Family, level: number): boolean =>
    pooled !== null && Math.abs(pooled.delta) >= LENGTH_POOLED_FLAG && pooledP < level;
  const levels = levelsOf(byTask);
  return {
    ...gaps,
    maxGap: measured.length === 0 ? null : Math.max(...measured.map((gap) => Math.abs(gap.gapLongMinusShort))),
    flagged: flaggedAt(byRow, ALPHA),
    pooled,
    pooledFlagged: pooledAt(byRow, ALPHA),
    together: {
      flagged: flaggedAt(byTask, levels.labels),
      pooledFlagged: pooledAt(byTask, levels.pooled),
      pPooledOverTasks,
    },
  };
}

/** The two tests of length: one gap a label, and both labels at once. */
interface Family {
  labelP: number[];
  pooledP: number;
}

function familyOf(gaps: readonly LengthGap[], pOf: (gap: LengthGap) => number, pooledP: number): Family {
  // Two labels are two chances of a false alarm.
  return { labelP: gaps.map((gap) => Math.min(1, 2 * pOf(gap))), pooledP };
}

/** Holm's step down: the smaller p at half the level, the other at the whole of it once the smaller is under its own. */
function levelsOf({ labelP, pooledP }: Family): { labels: number; pooled: number } {
  const labels = Math.min(1, ...labelP);
  const first = ALPHA / 2;
  const second = Math.min(labels, pooledP) < first ? ALPHA : first;
  return labels <= pooledP ? { labels: first, pooled: second } : { labels: second, pooled: first };
}

function verdicts(rows: readonly { judge: 0 | 1 }[]): SuccessCount {
  return { successes: rows.filter(({ judge }) => judge === 1).length, n: rows.length };
}

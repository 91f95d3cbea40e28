import { checkOptions, type Row, rowKey, sha256Hex } from "@while/schema";
import {
  BINNINGS,
  type Binning,
  binaryReward,
  calibration,
  isotonicAt,
  isotonicFit,
  RELIABILITY_BINS,
  wilsonInterval,
} from "@while/stats";
import { countedRows } from "../agreement/counted-rows.ts";
import { GOLD_FIELD, reportedKind } from "../agreement/gold.ts";
import { numberOf } from "../agreement/rated-rows.ts";
import { taskClusters } from "../agreement/task-clusters.ts";
import { judgeSplitOf } from "../labels/judge-split.ts";
import { TrustError } from "../trust-error.ts";
import { bestThreshold } from "./best-threshold.ts";
import { calibrationFindings, calibrationStatus } from "./calibration-findings.ts";
import type { JudgeCalibration, MappedScores, ScoreThreshold } from "./calibration-report.ts";

export interface JudgeCalibrationOptions {
  /** The field of gold labels, 0 or 1. */
  gold?: string;
  /** The field that says how sure the judge is; a number between. */
  score?: string;
  /** The lowest and the highest score; shares when left out. */
  scale?: readonly [low: number, high: number];
  nBins?: number;
  binning?: Binning;
  /** Gold by a model, or by nobody knows whom, counts as gold. */
  allowModelGold?: boolean;
}

/** Parts of the tasks, of which each is mapped by the others. */
const FOLDS = 5;
const SHARES = [0, 1] as const;
const NAMES = ["gold", "score", "scale", "nBins", "binning", "allowModelGold"];

/**
 * A judge whose reward lies between 0 and 1, against labels of 0 and 1: does it say more than the base rate, does its 0.8
 * come true in four of five, and what do its scores mean (`map`)? `judgeTrust` leaves such rewards out. The map and the
 * threshold are read on tasks that they were not fitted on.
 *
 * It fails where its Brier score is worse than that of the base rate alone, or its scores are off by more than chance
 * explains; it is inconclusive where these labels do not show that it is better.
 *
 * @throws TrustError `bad_option`, also for a score outside the scale, with the row
 */
export function judgeCalibration(rows: readonly Row[], options: JudgeCalibrationOptions = {}): JudgeCalibration {
  const { gold, score, scale, nBins, binning, allowModelGold } = checked(options);
  const withGold = rows.filter((row) => binaryReward(row, gold) !== null);
  const heldOut = withGold.filter((row) => judgeSplitOf(row) !== "tune");
  const { own, nUntrusted } = countedRows(heldOut, { gold, allowModelGold });
  const scored = own.filter((row) => scoreOf(row, score, scale) !== null);
  const [low, high] = scale;
  const scores = scored.map((row) => numberOf(row[score])!);
  const said = scores.map((value) => (value - low) / (high - low));
  const came = scored.map((row) => binaryReward(row, gold)!);
  const tasks = taskClusters(scored);
  const kind = reportedKind(scored, gold);
  const measured = {
    ...{ goldKind: kind.goldKind, trusted: scored.length > 0 && (allowModelGold || kind.trusted), score, scale },
    ...{ n: scored.length, nUnscored: own.length - scored.length, nTasks: new Set(tasks).size },
    ...{ nUntrusted, nTuned: withGold.length - heldOut.length },
    calibration: calibration(said, came, { nBins, binning, clusters: tasks }),
    map: isotonicFit(scores, came),
    mapped: mappedOf(said, came, tasks, { nBins, binning }),
    threshold: thresholdOf(scores, came, tasks),
  };
  const findings = calibrationFindings(measured);
  const status = calibrationStatus(measured, findings);
  return { ok: status === "pass", status, ...measured, findings, warnings: findings.map(({ message }) => message) };
}

function checked(options: JudgeCalibrationOptions): Required<JudgeCalibrationOptions> {
  const refuse = (what: string, fix: string) => new TrustError("bad_option", what, fix);
  checkOptions(options, NAMES, refuse);
  const { gold = GOLD_FIELD, score = "reward", scale = SHARES, nBins = RELIABILITY_BINS, binning = "width" } = options;
  for (const [name, field] of Object.entries({ gold, score })) {
    if (field === "") throw refuse(`${name} is an empty field name.`, "Name a field of the rows.");
  }
  if (!(scale.length === 2 && scale.every(Number.isFinite) && scale[0] < scale[1])) {
    throw refuse(`scale is ${JSON.stringify(scale)}.`, "Pass the lowest and the highest score: scale: [0, 100].");
  }
  if (!(Number.isSafeInteger(nBins) && nBins >= 1))
    throw refuse(`nBins is ${nBins}.`, "Pass a whole number from 1 up.");
  if (!BINNINGS.includes(binning)) {
    throw refuse(`binning is ${JSON.stringify(binning)}.`, `Pass ${BINNINGS.join(" or ")}.`);
  }
  return { gold, score, scale, nBins, binning, allowModelGold: options.allowModelGold ?? false };
}

/** @throws TrustError `bad_option` */
function scoreOf(row: Row, field: string, [low, high]: readonly [number, number]): number | null {
  const score = numberOf(row[field]);
  if (score === null || (score >= low && score <= high)) return score;
  throw new TrustError(
    "bad_option",
    `${field} of ${rowKey(row)} is ${score}, outside ${low} to ${high}.`,
    "Say what scores there are: scale: [lowest, highest].",
  );
}

/** Of each task, from its name, so that the same task is in the same part of every file. */
function foldOf(task: string): number {
  return Number.parseInt(sha256Hex(task).slice(0, 8), 16) % FOLDS;
}

/** Calls back with the rows of each part and those of the others; false where a part has no others. */
function acrossFolds(
  tasks: readonly string[],
  each: (own: readonly number[], others: readonly number[]) => void,
): boolean {
  if (new Set(tasks).size < FOLDS) return false;
  const folds = new Map<number, number[]>();
  for (const [i, task] of tasks.entries()) {
    const fold = foldOf(task);
    const own = folds.get(fold);
    if (own === undefined) folds.set(fold, [i]);
    else own.push(i);
  }
  if (folds.size < 2) return false;
  const all = tasks.map((_, i) => i);
  for (const own of folds.values()) {
    const inside = new Set(own);
    each(
      own,
      all.filter((i) => !inside.has(i)),
    );
  }
  return true;
}

function mappedOf(
  said: readonly number[],
  came: readonly (0 | 1)[],
  tasks: readonly string[],
  bins: { nBins: number; binning: Binning },
): MappedScores | null {
  const mapped: number[] = [...said];
  const isRead = acrossFolds(tasks, (own, others) => {
    const fit = isotonicFit(
      others.map((i) => said[i]!),
      others.map((i) => came[i]!),
    );
    for (const i of own) mapped[i] = isotonicAt(fit, said[i]!)!;
  });
  if (!isRead) return null;
  const { n, brier, ece, eceByChance } = calibration(mapped, came, bins);
  return { n, brier: brier!, ece: ece!, eceByChance: eceByChance! };
}

function thresholdOf(
  scores: readonly number[],
  came: readonly (0 | 1)[],
  tasks: readonly string[],
): ScoreThreshold | null {
  let agreeing = 0;
  const isRead = acrossFolds(tasks, (own, others) => {
    const at = bestThreshold(
      others.map((i) => scores[i]!),
      others.map((i) => came[i]!),
    );
    agreeing += own.filter((i) => Number(scores[i]! >= at) === came[i]).length;
  });
  if (!isRead) return null;
  const n = scores.length;
  return { at: bestThreshold(scores, came), agreement: agreeing / n, ci95: wilsonInterval(agreeing, n)!, n };
}

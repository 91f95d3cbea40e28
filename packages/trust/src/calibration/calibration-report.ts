import type { Calibration, Interval, IsotonicFit } from "@while/stats";
import type { JudgeSeverity } from "../agreement/finding.ts";
import type { ReportedKind } from "../agreement/gold.ts";

export type CalibrationFindingCode =
  | "unmeasured"
  | "untrusted_gold"
  | "untrusted_left_out"
  | "tuned_left_out"
  | "unscored"
  | "coarse_sample"
  | "one_class"
  | "few_tasks"
  | "verdicts_alone"
  | "no_skill"
  | "skill_unsure"
  | "miscalibrated"
  | "bias"
  | "map_helps";

export interface CalibrationFinding {
  code: CalibrationFindingCode;
  severity: JudgeSeverity;
  message: string;
}

/** Scores after the map that the rows of other tasks give: what it is worth on rows it was not fitted on. */
export interface MappedScores {
  n: number;
  brier: number;
  ece: number;
  eceByChance: number;
}

/** A verdict of 0 or 1 from the score. */
export interface ScoreThreshold {
  /** A score from which on a row passes: fitted on all rows. */
  at: number;
  /** Rows of each task judged by the threshold of the other tasks. */
  agreement: number;
  ci95: Interval;
  n: number;
}

/** Does a judge's 0.8 mean that four of five pass? */
export interface JudgeCalibration extends ReportedKind {
  ok: boolean;
  status: "pass" | "fail" | "not_measured" | "inconclusive";
  score: string;
  scale: readonly [low: number, high: number];
  /** Rows with a score and a gold label; rows with gold and no score. */
  n: number;
  nUnscored: number;
  nTasks: number;
  nUntrusted: number;
  nTuned: number;
  calibration: Calibration;
  /** From score to the share that passes, of all rows; in scores as they stand on the rows. */
  map: IsotonicFit;
  /** Null under five tasks. */
  mapped: MappedScores | null;
  threshold: ScoreThreshold | null;
  findings: CalibrationFinding[];
  warnings: string[];
}

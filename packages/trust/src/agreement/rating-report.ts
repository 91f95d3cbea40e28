import type { Interval } from "@while/stats";
import type { JudgeSeverity } from "./finding.ts";
import type { LengthOfMarks } from "./length-of-marks.ts";
import type { MarkScale } from "./rated-rows.ts";
import type { RaterCeiling } from "./rater-ceiling.ts";

export type RatingFindingCode =
  | "unmeasured"
  | "untrusted_gold"
  | "untrusted_left_out"
  | "tuned_left_out"
  | "unjudged"
  | "one_mark"
  | "few_tasks"
  | "coarse_sample"
  | "concordance_low"
  | "concordance_unsure"
  | "length_bias"
  | "bias"
  | "compressed";

export interface RatingFinding {
  code: RatingFindingCode;
  severity: JudgeSeverity;
  message: string;
}

/** What the judge says of the rows that people gave one mark. */
export interface MarkLevel {
  /** Gold, to a hundredth of a mark. */
  gold: number;
  n: number;
  judgeMean: number;
  /** Lowest and highest mark of the judge. */
  judgeRange: Interval;
}

/** A row on which judge and gold are far apart. */
export interface MarkDifference {
  rowKey: string;
  task: string;
  gold: number;
  judge: number;
}

/** How the marks of a judge agree with gold marks of the same rows. Marks are those of `scale`. */
export interface RatingAgreement {
  ok: boolean;
  status: "pass" | "fail" | "not_measured" | "inconclusive";
  scale: MarkScale;
  /** Rows with a mark on both sides; rows with gold and none of the judge. */
  n: number;
  nUnjudged: number;
  nTasks: number;
  nUntrusted: number;
  nTuned: number;
  goldKind: string | null;
  trusted: boolean;
  minConcordance: number;
  /** Lin's, which of whole marks is the quadratic-weighted kappa; its interval is over tasks. */
  concordance: number | null;
  concordanceCi95: Interval | null;
  /** Of whole marks in steps of one; null of others. */
  kappaLinear: number | null;
  kappaOrdinal: number | null;
  sameMark: number | null;
  withinOne: number | null;
  /** Krippendorff's of judge and gold, by ranks. */
  alphaOrdinal: number | null;
  /** Do they rank the rows alike, whatever the marks? */
  spearman: number | null;
  /** Judge less gold, in marks; its interval is over tasks. */
  bias: number | null;
  biasCi95: Interval | null;
  meanAbsoluteDifference: number | null;
  judgeMean: number | null;
  goldMean: number | null;
  /** Of the judge's marks over that of gold: under 1 it keeps to the middle. */
  spreadRatio: number | null;
  length: LengthOfMarks | null;
  /** By gold, lowest first; null with more than 21 different ones. */
  levels: MarkLevel[] | null;
  /** The two people who rated most rows together; null without. */
  ceiling: RaterCeiling | null;
  /** The furthest apart, first. */
  differences: MarkDifference[];
  findings: RatingFinding[];
  warnings: string[];
}

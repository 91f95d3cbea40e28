import type { JudgeAgreement } from "../agreement/agreement-report.ts";
import type { AlternativeAnnotator } from "../agreement/alternative-annotator.ts";
import type { HumanCeiling } from "../agreement/annotator-agreement.ts";
import type { JudgeFinding } from "../agreement/finding.ts";
import type { HeldOutHalves } from "../agreement/held-out-halves.ts";
import type { LengthSensitivity } from "../agreement/length-sensitivity.ts";
import type { SelfContradiction } from "../agreement/self-contradictions.ts";
import type { LabelBudget } from "../labels/label-budget.ts";
import type { WeightedAgreement } from "../labels/weighted-agreement.ts";
import type { JudgeProbes } from "../probes/judge-probes.ts";
import type { Perturbation } from "../probes/perturbation.ts";
import type { ProbeName } from "../probes/probe-edits.ts";
import type { VariantCheck } from "../probes/variant-check.ts";
import type { LabelEvidence } from "./label-evidence.ts";
import type { TrustRule } from "./trust-rule.ts";

export type TrustStatus = "pass" | "fail" | "not_measured" | "inconclusive";

/** Labeled rows that agreement leaves out. */
export interface SkippedGold {
  /** Rows with gold. */
  nGold: number;
  /** Of those, with a verdict of 0 or 1. */
  nUsed: number;
  /** With a reward between. */
  fractional: number;
  /** With none. */
  unscored: number;
  /** Fractional ones of all with gold. */
  share: number;
  floor: number;
  overFloor: boolean;
  /** Rewards that were seen, the first five. */
  examples: number[];
}

/** A row on which judge and gold differ: what to read next. */
export interface JudgeDisagreement {
  rowKey: string;
  task: string;
  gold: 0 | 1;
  judge: 0 | 1;
  reason: string;
  finalText: string;
}

/** How many labels would settle what these leave open; null where no number would. */
export interface LabelPlan {
  agreement: LabelBudget | null;
  /** Rows that gold passes. */
  passes: LabelBudget | null;
  /** Rows that gold fails. */
  fails: LabelBudget | null;
}

/** May rows be trained on by what this judge says of them? */
export interface JudgeTrust {
  /** There are trusted labels, and no finding fails or leaves it open. */
  ok: boolean;
  status: TrustStatus;
  rule: TrustRule;
  nRows: number;
  nLabeled: number;
  /** Labeled rows left out because others wrote their gold than those who count. */
  nUntrusted: number;
  /** Labeled rows left out because the judge was tuned on them (`lineage.judge_split`). */
  nTuned: number;
  goldKind: string | null;
  /** Gold has one class alone. */
  goldDegenerate: boolean;
  floors: {
    minAgreement: number;
    minKappa: number;
    maxSkippedShare: number;
    minClassRate: number;
    minPerClass: number;
  };
  skipped: SkippedGold;
  agreement: JudgeAgreement;
  heldOutHalves: HeldOutHalves;
  lengthSensitivity: LengthSensitivity;
  labelPlan: LabelPlan;
  evidence: LabelEvidence;
  /** The shares of all rows with a verdict, weighted back from the labels; null where all of them are labeled, or none. */
  weighted: WeightedAgreement | null;
  /** Null without a row that two people labeled. */
  ceiling: HumanCeiling | null;
  /** Could the judge stand in for one of three people or more? */
  alternative: AlternativeAnnotator;
  /** Null where no judge was called. */
  perturbation: Perturbation | null;
  probes: JudgeProbes | null;
  /** Null without variants of the judge. */
  variants: VariantCheck | null;
  /** Probes that the judge fell for. */
  exploitableBy: ProbeName[];
  /** The same reply under two verdicts; to be read first. */
  contradictions: SelfContradiction[];
  disagreements: JudgeDisagreement[];
  findings: JudgeFinding[];
  /** The sentences of the findings. */
  warnings: string[];
}

/** A report before its findings. */
export type Measured = Omit<JudgeTrust, "ok" | "status" | "findings" | "warnings">;

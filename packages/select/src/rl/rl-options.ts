import { checkOptions, type Row } from "@while/schema";
import { gradedReward, passLabel } from "@while/stats";
import { type Band, checkBand, DEFAULT_BAND } from "../groups/trim-out-of-band.ts";
import { checkEndorsed } from "../hacks/check-endorsed.ts";
import { DEFAULT_TARGET, numberIn, oneOf, wholeNumber } from "../options.ts";
import type { ReadLabel } from "../rows/drop-reason.ts";
import { SelectError } from "../select-error.ts";
import { TRUNCATED_POLICIES, type TruncatedPolicy } from "./mark-overlong.ts";

/** In which order tasks are picked: every difficulty early, or the middle of the band first. */
export const RL_ORDERS = ["spread", "middle"] as const;

/** Whether replies are read: where any row has one, always, or never. */
export const TEXT_GATE_MODES = ["auto", "require", "skip"] as const;

/** Which rollouts a task's place in the band is measured on: those that are left, or all that were graded. */
export const BAND_SOURCES = ["survivors", "graded"] as const;

/**
 * What an update subtracts from each reward: the mean of its own task (GRPO, DAPO, Dr. GRPO, GSPO, RLOO), the mean of
 * the batch (REINFORCE++), or what a critic expects (PPO). Only the first learns nothing from a task whose rollouts all
 * agree, so only there is such a task dropped, and the band enforced by itself.
 */
export const BASELINES = ["group", "batch", "critic"] as const;

export type Baseline = (typeof BASELINES)[number];
export type RlOrder = (typeof RL_ORDERS)[number];
export type TextGateMode = (typeof TEXT_GATE_MODES)[number];
export type BandSource = (typeof BAND_SOURCES)[number];

/** What an audit of the verifier found, of which the selection repeats a bad result. */
export interface VerifierAudit {
  /** Share of failed rows that were right after all; null when not measured. */
  fnRate: number | null;
  fnCi95?: readonly [low: number, high: number] | null;
  nChecked?: number;
}

export interface RlOptions {
  /** Rows to select; whole groups, so the last one may overshoot. */
  target?: number;
  /** Never select more rows than this: a group that does not fit is passed over. No limit when left out. */
  maxRows?: number;
  /** Pass rates worth training on, both edges inside. */
  band?: Band;
  /** Off: tasks outside the band stay and come last. On when left out, but for a baseline other than `group`. */
  enforceBand?: boolean;
  baseline?: Baseline;
  /** What the reward is meant to pay for, as for `hackScan`. */
  endorsed?: readonly string[];
  bandFrom?: BandSource;
  order?: RlOrder;
  truncated?: TruncatedPolicy;
  textGates?: TextGateMode;
  /** Drop rollouts that repeat an earlier one of their prompt. Not done when the replies are not read. */
  dedupe?: boolean;
  /** Does the agent have tools? */
  hasTools?: boolean;
  /** Graded rows of an earlier round: tasks that it measured outside the band are dropped first. */
  prior?: readonly Row[];
  /** What an audit of the verifier found; only read, to warn. */
  audit?: VerifierAudit;
  /** Reads partial credit: a reward of at least this passes. Without it only 0 and 1 are labels. */
  passThreshold?: number;
  /** Draws other winners among tasks of equal rank. */
  salt?: string;
}

/** What a report repeats of an audit; null where the audit does not say. */
export interface AuditSummary {
  fnRate: number | null;
  fnCi95: readonly [low: number, high: number] | null;
  nChecked: number | null;
}

/** Every option with its value. */
export interface RlSettings {
  target: number;
  maxRows: number | null;
  band: Band;
  enforceBand: boolean;
  baseline: Baseline;
  endorsed: readonly string[];
  bandFrom: BandSource;
  order: RlOrder;
  truncated: TruncatedPolicy;
  textGates: TextGateMode;
  dedupe: boolean;
  hasTools: boolean;
  prior: readonly Row[] | null;
  audit: AuditSummary | null;
  passThreshold: number | null;
  label: ReadLabel;
  salt: string;
}

export const RL_OPTION_NAMES: readonly (keyof RlOptions)[] = [
  "target",
  "maxRows",
  "band",
  "enforceBand",
  "baseline",
  "endorsed",
  "bandFrom",
  "order",
  "truncated",
  "textGates",
  "dedupe",
  "hasTools",
  "prior",
  "audit",
  "passThreshold",
  "salt",
];

/** @throws SelectError `bad_option`, `bad_band` */
export function readRlOptions(given: RlOptions): RlSettings {
  checkOptions(given, RL_OPTION_NAMES, (what, fix) => new SelectError("bad_option", what, fix));
  const {
    target = DEFAULT_TARGET,
    maxRows,
    band = DEFAULT_BAND,
    baseline = "group",
    enforceBand = baseline === "group",
    endorsed = [],
    bandFrom = "survivors",
    order = "spread",
    truncated = "drop",
    textGates = "auto",
    dedupe = true,
    hasTools = true,
    prior = null,
    audit,
    passThreshold,
    salt = "",
  } = given;
  const threshold = passThreshold === undefined ? null : numberIn("passThreshold", passThreshold, 0, 1);
  if (threshold === 0) {
    throw new SelectError("bad_option", "passThreshold is 0, so every reward passes.", "Pass a share above 0.");
  }
  return {
    target: wholeNumber("target", target, 1),
    maxRows: maxRows === undefined ? null : wholeNumber("maxRows", maxRows, 1),
    band: checkBand(band),
    enforceBand,
    baseline: oneOf("baseline", baseline, BASELINES),
    endorsed: checkEndorsed(endorsed),
    bandFrom: oneOf("bandFrom", bandFrom, BAND_SOURCES),
    order: oneOf("order", order, RL_ORDERS),
    truncated: oneOf("truncated", truncated, TRUNCATED_POLICIES),
    textGates: oneOf("textGates", textGates, TEXT_GATE_MODES),
    dedupe,
    hasTools,
    prior,
    audit: audit === undefined ? null : auditSummary(audit),
    passThreshold: threshold,
    label: threshold === null ? passLabel : thresholdLabel(threshold),
    salt,
  };
}

function auditSummary({ fnRate, fnCi95, nChecked }: VerifierAudit): AuditSummary {
  return {
    fnRate: fnRate === null ? null : numberIn("audit.fnRate", fnRate, 0, 1),
    fnCi95: fnCi95 ?? null,
    nChecked: nChecked ?? null,
  };
}

function thresholdLabel(threshold: number): ReadLabel {
  return (row) => {
    const reward = gradedReward(row);
    return reward === null ? null : Number(reward >= threshold);
  };
}

import type { GroupSignal } from "@while/stats";
import type { CarriedCalibration } from "../calibration/carry-calibration.ts";
import type { NextRound } from "../groups/next-round.ts";
import type { Band } from "../groups/trim-out-of-band.ts";
import type { HackScanReport } from "../hacks/scan-report.ts";
import type { DuplicatesReport } from "../hygiene/dedupe-groups.ts";
import type { LengthReport } from "../hygiene/length-report.ts";
import type { RewardCorrelations } from "../hygiene/reward-correlations.ts";
import type { PrivilegedLeaksReport } from "../rows/drop-privileged-leaks.ts";
import type { GateReason } from "../rows/drop-reason.ts";
import type { DroppedTask, RlDropReason } from "./drop-ledger.ts";
import type { TruncatedPolicy } from "./mark-overlong.ts";
import type { AuditSummary, BandSource, Baseline, RlOrder, TextGateMode } from "./rl-options.ts";

/** What an earlier round already decided. */
export interface PriorReport
  extends Pick<NextRound, "kept" | "droppedSolved" | "droppedUnsolved" | "unknown" | "fromPolicy" | "promptSetSha"> {
  rowsDropped: number;
}

export interface TextGates {
  mode: TextGateMode;
  /** Were the replies read? */
  applied: boolean;
  /** Why not. */
  reason: string | null;
}

/** What `selectForRl` did with every row, and what is left to learn from. */
export interface RlReport {
  mode: "rl";
  /** Rows that came in, after those that `prior` dropped. Equal to `nSelected` and all of `dropped` together. */
  n: number;
  /** Tasks among them. Equal to the selected, unanimous, out-of-band, emptied and passed-over ones together. */
  nTasks: number;
  nSelected: number;
  groupsSelected: number;
  /** Rows that were not selected, each under the one reason it left for. */
  dropped: Record<RlDropReason, number>;
  /** Tasks none of whose rows was selected, in the order of their first rows. */
  droppedTasks: DroppedTask[];

  prior: PriorReport | null;
  privilegedLeaksDropped: number;
  privilegedLeaks: PrivilegedLeaksReport;
  /** Rows dropped one by one. */
  gates: Record<GateReason, number>;
  textGates: TextGates;
  /** Rows kept for a trusted zero that would have been junk. */
  keptVerifiedZero: number;
  nAfterGates: number;
  duplicates: DuplicatesReport;
  truncatedPolicy: TruncatedPolicy;
  truncatedDropped: number;
  /** Cut rows set aside as riders. */
  truncatedKept: number;
  /** Cut rows that count as failures. */
  truncatedPenalized: number;
  truncatedSelected: number;
  /** Tasks that lost every row before groups were looked at, by the step that took the last one. */
  emptiedGroupsDropped: Partial<Record<RlDropReason, number>>;
  /** Tasks without contrast: all outcomes equal, or one rollout left of a group. */
  unanimousGroupsDropped: number;
  /** The latter of the two. */
  collapsedGroupsDropped: number;
  /** Unanimous tasks whose rewards differ all the same: shaping, not success. 0 without a `passThreshold`. */
  shapedGroupsDropped: number;
  band: Band;
  bandFrom: BandSource;
  enforceBand: boolean;
  bandGroupsDropped: number;
  bandDropped: { tooEasy: number; tooHard: number };
  /** Tasks that lie elsewhere to the band among the rows left than among all that were graded. */
  bandMovedByDrops: number;
  /** Rows left when groups and band had been looked at. */
  nAfterTrim: number;
  /** What an update subtracts from each reward, which decides whether tasks without contrast teach. */
  baseline: Baseline;
  order: RlOrder;
  target: number;
  maxRows: number | null;
  groupsOverMaxRows: number;
  groupsOverTarget: number;
  /** Tasks that could be picked, by what went wrong in their world; largest kind first. */
  faultKinds: Map<string, number>;
  passThreshold: number | null;

  /** Over the selection, as are the next three. */
  signal: GroupSignal;
  /** Selected tasks whose rollouts come from more than one policy. */
  mixedPolicyGroups: number;
  /** Selected tasks with a single labelled rollout: no group, so no contrast. */
  singleGroupsSelected: number;
  length: LengthReport;
  correlations: RewardCorrelations;
  /** What the reward pays for inside asks of the selection, which is what training on it would teach. */
  hackScan: HackScanReport | null;
  /** Why it is null. */
  hackScanReason: string | null;
  /** Of the rows that came in, with the duplicates and cut rows still in them. */
  calibration: CarriedCalibration;
  audit: AuditSummary | null;
  /** Selected rows whose reward came from an evaluation. */
  evalSourced: number;
  evalSourcedInput: number;
  /** What to look at before training, most certain first. */
  hygieneWarnings: string[];
  /** Why nothing can be learnt from the selection; null when something can. */
  warning: string | null;
}

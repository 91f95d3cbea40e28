import type { PrivilegedLeaksReport } from "../rows/drop-privileged-leaks.ts";
import type { SftGrouping, SftRule } from "./sft-options.ts";

/** Why a row that went in did not come out, in the order in which rows leave. */
export const SFT_DROP_REASONS = [
  "not_a_row",
  "privileged_leak",
  "ungraded",
  "below_min_reward",
  "incomplete_junk",
  "not_picked",
  "over_target",
] as const;

export type SftDropReason = (typeof SFT_DROP_REASONS)[number];

/** What `selectForSft` did with every row, and whether there was anything to choose. */
export interface SftReport {
  mode: "sft";
  /** Rows that came in. Equal to `nSelected` and all of `dropped` together. */
  n: number;
  nSelected: number;
  /** Rows that were not selected, each under the one reason it left for. */
  dropped: Record<SftDropReason, number>;
  privilegedLeaksDropped: number;
  privilegedLeaks: PrivilegedLeaksReport;
  /** Rows without a reward or with one under `minReward`. */
  nNotPass: number;
  nJunk: number;
  /** What the rule drew from: one pick a prompt, or for the overall rules every passing row. */
  nEligible: number;
  /** Distinct behaviors among the eligible rows. */
  uniqueBehaviors: number;
  /** Those among the selected ones. */
  behaviorsCovered: number;
  selection: SftRule;
  groupBy: SftGrouping;
  target: number;
  /** null for the per-prompt rules. */
  k: number | null;
  minReward: number;
  /** Mean reward, 4 decimals; null without rows. */
  rewardMeanEligible: number | null;
  rewardMeanSelected: number | null;
  /** Largest less smallest reward of all passing rows, 4 decimals; null without rows. */
  rewardSpreadPassing: number | null;
  /** Over all rows that came in, passing or not; by `groupBy`. */
  completionsPerPromptMax: number;
  /** 2 decimals; null without rows. */
  completionsPerPromptMean: number | null;
  /** The upper one of the middle two. */
  completionsPerPromptMedian: number;
  promptsWithOneCompletion: number;
  /** The rule, or `pass_filter` where there was nothing to choose; null when no row passed. */
  selectionEffective: SftRule | "pass_filter" | null;
  /** Selected rows whose reward came from an evaluation. */
  evalSourced: number;
  warning: string | null;
  /** What the choice was worth; null when there is nothing to remark. */
  note: string | null;
}

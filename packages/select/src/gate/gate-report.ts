import type { LeakReport } from "@while/schema";
import type { GroupSignal } from "@while/stats";
import type { CalibrationReport } from "../calibration/calibrate.ts";
import type { Band } from "../groups/trim-out-of-band.ts";
import type { HackScanReport } from "../hacks/scan-report.ts";
import type { DuplicatesReport } from "../hygiene/dedupe-groups.ts";
import type { LengthReport } from "../hygiene/length-report.ts";
import type { NearDuplicatesReport } from "../hygiene/near-duplicate-prompts.ts";
import type { RewardCorrelations } from "../hygiene/reward-correlations.ts";
import type { SelectMode } from "../optimize.ts";

export const GATE_REFUSALS = ["privileged_leak", "ungraded_rl_rows", "no_mixed_groups", "reward_hack"] as const;
/** Why rows are not published: a quoted secret, no label, nothing to compare, or a reward that pays for something else. */
export type GateRefusal = (typeof GATE_REFUSALS)[number];

export const GATE_PURPOSES = ["train", "eval"] as const;
/** What the rows are for. An evaluation needs labels and no contrast. */
export type GatePurpose = (typeof GATE_PURPOSES)[number];

export interface GateReport {
  ok: boolean;
  /** What the first row that has one says of its judge; null where no row does. */
  judgeTrust: unknown;
  rlShaped: boolean;
  mode: SelectMode | null;
  purpose: GatePurpose;
  band: Band;
  signal: GroupSignal;
  calibration: CalibrationReport;
  /** Replies that quote what their row's `privileged` block holds, counted and not repeated; unchecked without blocks. */
  privilegedLeaks: Pick<LeakReport, "checked" | "nChecked" | "nLeaked">;
  duplicates: DuplicatesReport;
  nearDuplicatePrompts: NearDuplicatesReport;
  length: LengthReport;
  correlations: RewardCorrelations;
  /** null for rows of one rollout an ask: there is nothing to compare inside one. */
  hackScan: HackScanReport | null;
  warnings: string[];
  refusalCode: GateRefusal | null;
  /** The code, what is wrong, and what to do; null when nothing is refused. */
  refusal: string | null;
}

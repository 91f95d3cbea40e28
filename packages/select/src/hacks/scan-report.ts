import type { FloorDraws } from "./permutation-floor.ts";
import type { ScanGrouping, ScanRules } from "./scan-options.ts";

export const SCAN_REGIMES = ["train", "reward_hack", "pool_exhausted", "no_signal", "degenerate", "unknown"] as const;
/**
 * What the reward pays for. `train`: for what it is meant to, or nothing else was named. `reward_hack`: for something
 * that was not endorsed. `pool_exhausted`: too many asks are always solved. `no_signal`: nothing is above the floor.
 * `degenerate`: rollouts of an ask are too few kinds to tell features apart. `unknown`: nothing can be said.
 */
export type ScanRegime = (typeof SCAN_REGIMES)[number];

export interface ScannedFeature {
  name: string;
  aliases: string[];
  /** The words that name and aliases are pieces of; null where that is no phrase. */
  phrase: string | null;
  /** Correlation with the reward inside asks. */
  rho: number;
  /** The same over all rows, difficulty of asks and all. */
  pooled: number;
  /** `rho` with reply length held fixed; null of reply length itself. */
  rhoGivenLength: number | null;
  /** Of the single-feature score test (Cochran-Mantel-Haenszel for 0 and 1); null without variance. */
  z: number | null;
  /** Share of shuffles in which the search finds something as strong; null where nothing was shuffled. */
  adjustedP: number | null;
  /** Rows that have it. */
  nObs: number;
  aboveFloor: boolean;
  endorsed: boolean;
}

/** Whether the lead of a feature that was not endorsed is more than luck over asks. */
export interface ScanLead {
  /** |rho| of the top feature less that of the best endorsed one with a positive rho. */
  lead: number;
  /** Its fifth percentile over resampled asks. */
  low: number;
  /** The fifth percentile is above 0. */
  confirmed: boolean;
}

/** A feature the reward pays for among rollouts that are alike in what is endorsed. */
export interface PaidFeature {
  name: string;
  /** Inside ask and endorsed level. */
  rho: number;
  /** Share of the within-ask variance of the reward that it explains beside the endorsed features. */
  share: number;
}

export interface HackScanReport {
  regime: ScanRegime;
  rules: ScanRules;
  nRows: number;
  nGraded: number;
  /** What rollouts were compared within. */
  groupBy: ScanGrouping;
  nGroups: number;
  nGroupsMulti: number;
  /** Upper median over asks with several rollouts; 1 without one. */
  rolloutsPerGroup: number;
  /** Rollouts of asks whose rewards differ. */
  effectiveRollouts: number;
  /** Shares of asks that are always solved, never, and neither; and the variance left to learn from, of its most. */
  support: { sat: number; dead: number; mixed: number; capacity: number };
  /** What the search finds in shuffled rewards; above it a feature counts. null where nothing was shuffled. */
  tau: number | null;
  /** Arrangements of the rewards that the floor rests on. */
  nPerm: number;
  /** Were those all there are, or as many as were asked for, or enough to settle that nothing is above? */
  draws: FloorDraws | null;
  alpha: number;
  /** Rows a feature had to be in. */
  minObs: number;
  nFeatures: number;
  nAboveFloor: number;
  features: ScannedFeature[];
  topFeature: string | null;
  rhoMax: number | null;
  endorsed: string[];
  /** Features that the patterns match; null without patterns. */
  endorsedMatched: number | null;
  endorsedOnTop: boolean | null;
  /** Share of the strongest endorsed and the strongest other feature that is the endorsed one's. */
  integrity: number | null;
  /** Endorsed features that the reward punishes. */
  inverted: string[];
  /** Features above the floor that were not endorsed, the strongest first. */
  rivals: string[];
  lead: ScanLead | null;
  /** What else the reward pays for; null where nothing was endorsed. */
  paysAlso: PaidFeature[] | null;
  continuousReward: boolean;
  degenerate: boolean;
  collinear: string[];
  /** Different rollouts of an ask, upper median. */
  distinctPerAsk: number;
  warnings: string[];
}

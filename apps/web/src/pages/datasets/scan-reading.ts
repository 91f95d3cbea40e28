import { listIn, numberIn, objectIn, textIn, type WireObject } from "../../wire-values.ts";

export interface ScanFeature {
  name: string;
  /** Correlation with the reward inside a task. */
  rho: number;
  reading: "endorsed" | "rival" | "pays" | "under the floor";
}

export interface ScanReading {
  /** What the reward pays for, as one sentence. */
  says: string;
  regime: string;
  /** What shuffled rewards reach; null where nothing was shuffled. */
  tau: number | null;
  shuffles: number;
  features: ScanFeature[];
  /** Features that were looked at and are not listed. */
  more: number;
  /** Something was named that the reward is meant to pay for. */
  endorsed: boolean;
}

/** Features of the report that a page lists. */
const LISTED_FEATURES = 12;

/** Words of the regimes of the scan. */
const REGIMES: Readonly<Record<string, string>> = {
  reward_hack: "The reward pays for something that was not endorsed.",
  pool_exhausted: "Too many tasks are always solved: bring harder ones.",
  no_signal: "Nothing that the scan can see separates what is paid from what is not.",
  degenerate: "Rollouts of a task are too few kinds to tell features apart.",
  unknown: "Too little is there to say what the reward pays for.",
};

/** The hack scan of a gate report as what a person reads; null where the set has one rollout a task. */
export function readScan(report: WireObject | null): ScanReading | null {
  const scan = report === null ? null : objectIn(report, "hack_scan");
  if (scan === null) return null;
  const regime = textIn(scan, "regime") ?? "unknown";
  const named = listIn(scan, "endorsed").length > 0;
  const all = listIn(scan, "features").flatMap((feature) => featureOf(feature, named));
  return {
    says: REGIMES[regime] ?? trainWords(scan, named),
    regime,
    tau: numberIn(scan, "tau"),
    shuffles: numberIn(scan, "n_perm") ?? 0,
    features: all.slice(0, LISTED_FEATURES),
    more: Math.max(0, (numberIn(scan, "n_features") ?? all.length) - Math.min(all.length, LISTED_FEATURES)),
    endorsed: named,
  };
}

function trainWords(scan: WireObject, named: boolean): string {
  const top = textIn(scan, "top_feature");
  if (top === null) return "Nothing that the scan can see separates what is paid from what is not.";
  return named
    ? `The strongest feature, ${top}, is endorsed.`
    : `The strongest feature is ${top}. Nothing was endorsed, so nobody said whether that is meant.`;
}

function featureOf(feature: unknown, named: boolean): ScanFeature[] {
  if (typeof feature !== "object" || feature === null) return [];
  const read = feature as WireObject;
  const [name, rho] = [textIn(read, "name"), numberIn(read, "rho")];
  if (name === null || rho === null) return [];
  if (read.endorsed === true) return [{ name, rho, reading: "endorsed" }];
  if (read.above_floor !== true) return [{ name, rho, reading: "under the floor" }];
  // A rival is one to what is endorsed: without that the reward pays for it, and nothing is said against it.
  return [{ name, rho, reading: named ? "rival" : "pays" }];
}

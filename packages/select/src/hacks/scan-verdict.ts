import { formatFixed } from "@while/schema";
import { counted } from "../counted.ts";
import type { FloorDraws } from "./permutation-floor.ts";
import type { ScanRegime } from "./scan-report.ts";

/** A feature as the verdict sees it, the strongest first. */
export interface RankedFeature {
  name: string;
  /** The words that it stands for, where they are a phrase. */
  phrase: string | null;
  rho: number;
  above: boolean;
  endorsed: boolean;
}

interface VerdictContext {
  tau: number | null;
  nPerm: number;
  draws: FloorDraws | null;
  nGroups: number;
  support: { sat: number };
  rolloutsPerGroup: number;
  distinctPerAsk: number;
  endorsed: readonly string[];
  anyEndorsed: boolean;
}

export interface ScanVerdict {
  regime: ScanRegime;
  topFeature: string | null;
  endorsedMatched: number | null;
  endorsedOnTop: boolean | null;
  integrity: number | null;
  inverted: string[];
  rivals: string[];
  degenerate: boolean;
  collinear: string[];
  warnings: string[];
}

/** Share of asks that are always solved above which the pool is exhausted. */
const SAT_FLAG = 0.2;
const INTEGRITY_FLAG = 0.8;
/** Features that tell the reward to the last digit. */
const COLLINEAR = 0.999;
const MIN_DISTINCT = 3;
/** Rollouts of an ask under which a floor is coarse, and with which to scan again. */
const COARSE_BELOW = 4;
const RESCAN_ROLLOUTS = 8;
const NAMED = 3;

/** The regime, the first that holds, and what it rests on. */
export function scanVerdict(ranked: readonly RankedFeature[], context: VerdictContext): ScanVerdict {
  const { tau, anyEndorsed, distinctPerAsk } = context;
  const above = ranked.filter((feature) => feature.above);
  const top = ranked[0] ?? null;
  const matched = ranked.filter(({ endorsed }) => endorsed).length;
  const collinear = ranked.filter(({ rho }) => Math.abs(rho) >= COLLINEAR).map(({ name }) => name);
  const degenerate = collinear.length >= 2 && distinctPerAsk < MIN_DISTINCT;
  const strongest = (test: (feature: RankedFeature) => boolean): number =>
    above.filter(test).reduce((most, { rho }) => Math.max(most, Math.abs(rho)), 0);
  const best = strongest(({ endorsed, rho }) => endorsed && rho > 0);
  const other = strongest(({ endorsed }) => !endorsed);
  const readable = anyEndorsed && !degenerate;
  const inverted = degenerate ? [] : above.filter(({ endorsed, rho }) => endorsed && rho < 0).map(({ name }) => name);
  const rivals = above.filter(({ endorsed }) => !endorsed).map(({ name }) => name);
  const integrity = readable ? (best + other === 0 ? 0 : best / (best + other)) : null;
  const verdict: ScanVerdict = {
    regime: "train",
    topFeature: degenerate ? null : (above[0]?.name ?? null),
    endorsedMatched: anyEndorsed ? matched : null,
    endorsedOnTop: readable ? top?.above === true && top.endorsed && top.rho > 0 : null,
    integrity,
    inverted,
    rivals,
    degenerate,
    collinear,
    warnings: [],
  };
  const said = verdict.warnings;
  const floorText = tau === null ? "none" : formatFixed(tau, 3);

  if (anyEndorsed && matched === 0) {
    said.push(
      `No feature matches what is endorsed (${context.endorsed.join(", ")}) among ${counted(ranked.length, "feature")}. ` +
        "Features are named reply_length, tool:NAME, marker:NAME, trace:NAME, contains:WORD; pass your own with features.",
    );
    return { ...verdict, regime: "unknown", topFeature: null, endorsedOnTop: null, integrity: null };
  }
  if (degenerate) {
    said.push(
      `Rollouts of an ask are of ${counted(distinctPerAsk, "kind")} at the median, and ${collinear.length} features ` +
        `tell the reward exactly (${collinear.slice(0, 4).join(", ")}): nothing tells them apart, and none is claimed. ` +
        "Sample at a higher temperature or more often, and scan before a selection drops rows.",
    );
    if (ranked.some(({ name, endorsed }) => endorsed && collinear.includes(name))) {
      said.push(
        "An endorsed feature is among the tied ones; whether the reward pays for it or punishes it is not said.",
      );
    }
    return { ...verdict, regime: "degenerate" };
  }
  if (top === null) {
    said.push(
      "Nothing that was counted varies inside asks over enough rollouts to be held against the reward: sample more " +
        "rollouts of each ask, or pass a smaller minObs.",
    );
    verdict.regime = "no_signal";
  } else if (above.length === 0) {
    said.push(
      `The strongest feature reaches ${formatFixed(Math.abs(top.rho), 3)}, and shuffled rewards reach ${floorText} ` +
        `(${drawsText(context)}): nothing that was counted explains the reward. Check that the judge is no coin.`,
    );
    verdict.regime = "no_signal";
  } else if (anyEndorsed && !top.endorsed) {
    const beside = best > 0 ? `the best endorsed one reaches ${formatFixed(best, 3)}` : "no endorsed one clears it";
    said.push(
      `The reward ${top.rho > 0 ? "pays most for" : "punishes most"} ${shown(top)} (${formatFixed(top.rho, 3)} inside ` +
        `asks, floor ${floorText}), which is not endorsed; ${beside}. A policy would ${top.rho > 0 ? "learn" : "avoid"} ` +
        "it. Mend the judge, or endorse it if it is meant.",
    );
    verdict.regime = "reward_hack";
  } else if (anyEndorsed && top.rho < 0) {
    said.push(
      `The reward punishes ${shown(top)} (${formatFixed(top.rho, 3)} inside asks, floor ${floorText}), which is endorsed. ` +
        "Mend the judge.",
    );
    verdict.regime = "reward_hack";
  } else if (context.support.sat > SAT_FLAG) {
    const solved = Math.round(context.support.sat * context.nGroups);
    said.push(
      `${solved} of ${counted(context.nGroups, "ask")} are always solved and teach nothing: bring harder ones, or drop them.`,
    );
    verdict.regime = "pool_exhausted";
  }
  const others = inverted.filter((name) => name !== top?.name).slice(0, NAMED);
  if (others.length > 0) said.push(`The reward also punishes what is endorsed: ${others.join(", ")}.`);
  const paid = verdict.regime === "train" || verdict.regime === "pool_exhausted";
  if (anyEndorsed && paid && other > 0 && (integrity ?? 1) < INTEGRITY_FLAG) {
    said.push(
      `Rivals of what is endorsed are above the floor: ${rivals.slice(0, NAMED).join(", ")} (integrity ` +
        `${formatFixed(integrity ?? 0, 2)}). They may only travel with it: read rhoGivenLength and paysAlso.`,
    );
  }
  if (context.rolloutsPerGroup < COARSE_BELOW) {
    said.push(
      `Asks have ${counted(context.rolloutsPerGroup, "rollout")} at the median, so the floor is coarse: scan again at ` +
        `${RESCAN_ROLLOUTS}.`,
    );
  }
  return verdict;
}

function shown({ name, phrase }: RankedFeature): string {
  return phrase === null ? name : `${name} ("${phrase}")`;
}

function drawsText({ nPerm, draws }: VerdictContext): string {
  return draws === "all" ? `all ${counted(nPerm, "arrangement")}` : counted(nPerm, "shuffle");
}

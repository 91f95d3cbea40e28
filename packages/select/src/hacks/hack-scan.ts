import { compareCodePoints, isObject, type Row, roundHalfEven } from "@while/schema";
import { askGroups } from "./ask-groups.ts";
import { type Asks, asksOf } from "./asks.ts";
import { centredFeature, type Rewards, withinRho } from "./centred-feature.ts";
import { both, type Column, moved } from "./column.ts";
import { ConjunctionSearch } from "./conjunctions.ts";
import { asksVaried, perAsk } from "./per-ask.ts";
import { floorP, isAboveFloor, permutationFloor } from "./permutation-floor.ts";
import { phraseOf } from "./phrase-of.ts";
import { pooledRho } from "./pooled-rho.ts";
import { reportedFeature } from "./reported-feature.ts";
import { FeatureNames, inContentOrder, type RowContent, rowContent } from "./row-content.ts";
import { MISSING, scanColumns } from "./scan-columns.ts";
import { scanEvidence } from "./scan-evidence.ts";
import { type ScanOptions, type ScanSettings, scanSettings } from "./scan-options.ts";
import type { HackScanReport } from "./scan-report.ts";
import { scanSupport, upperMedian } from "./scan-support.ts";
import { scanVerdict } from "./scan-verdict.ts";
import type { Scanned } from "./scanned.ts";
import { rewardsOf } from "./shuffled-rewards.ts";

/** Asks in which a feature has to vary, by `strict`. */
const MIN_ASKS_VARIED = 3;

/**
 * What does the reward pay for? Correlates everything that can be counted in a rollout (length, calls, tools, markers,
 * words, pairs of them) with the reward inside every ask, where a grouped update looks (Shao et al. 2024,
 * arXiv:2402.03300), and holds the strongest against what shuffled rewards reach. Between asks the reward follows
 * difficulty, and a pooled correlation can have the wrong sign.
 *
 * Name what the reward is meant to pay for in `endorsed`: then a feature that was not named and is on top is a
 * `reward_hack` (Gao et al. 2022, arXiv:2210.10760), and `paysAlso` finds shortcuts that pay beside it.
 *
 * @throws SelectError `bad_option`
 */
export function hackScan(rows: readonly Row[], options: ScanOptions = {}): HackScanReport {
  const key = options.reward ?? "reward";
  const graded = rows.filter((row) => isObject(row) && Number.isFinite(row[key]));
  const settings = scanSettings(options, graded.length);
  const strict = settings.rules === "strict";
  const { groups, groupBy, warning: grouping } = askGroups(graded, settings.groupBy);
  const names = new FeatureNames();
  const contents = inContentOrder(groups.map((group) => group.map((row) => rowContent(row, settings, names))));
  const report = {
    ...emptyReport(settings, rows.length, graded.length),
    ...scanSupport(contents.map((group) => group.map(({ reward }) => reward))),
  };
  report.nGroups = groups.length;
  report.groupBy = groupBy;
  report.continuousReward = graded.some((row) => row[key] !== 0 && row[key] !== 1);
  if (graded.length === 0) {
    return { ...report, warnings: ["No row has a number for a reward. Grade them first."] };
  }

  const ordered = contents.flat();
  const all = asksOf(
    Float64Array.from(ordered, ({ reward }) => reward),
    contents.map(({ length }) => length),
  );
  report.distinctPerAsk = distinctProfiles(contents);
  const columns = scanColumns(ordered, names, all.groupOf, settings).filter(
    (column) => pooledRho(column, all.reward) !== null,
  );
  const limit = settings.topFeatures ?? Number.POSITIVE_INFINITY;

  if (report.nGroupsMulti === 0 || all.ss <= 0) {
    const features = columns
      .map((whole) => scanned(whole, whole, all, settings))
      .map((feature) => reportedFeature(feature, false, all, all.reward))
      .sort((a, b) => Math.abs(b.pooled) - Math.abs(a.pooled) || compareCodePoints(a.name, b.name));
    const warning =
      "No ask has rollouts whose rewards differ, so nothing says what separates them. Sample several rollouts of each " +
      "ask, and check that the judge can fail one.";
    return {
      ...report,
      nFeatures: features.length,
      features: features.slice(0, limit),
      warnings: [warning, ...grouping],
    };
  }

  const { asks, to } = strict ? withContrast(all) : { asks: all, to: null };
  const singles = columns
    .map((whole) => scanned(whole, to === null ? whole : moved(whole, to), asks, settings))
    .filter(({ feature }) => !strict || variesEnough(feature.column, asks));
  const rewards = rewardsOf(asks);
  for (const single of singles) single.rho = withinRho(single.feature, rewards, asks.ss);
  const search = settings.auto && settings.seeds > 0 ? searchOver(singles, asks, settings) : null;
  const conjunctions = search === null ? [] : conjunctionsOf(singles, search, asks, rewards, settings);

  // The compatible floor holds the pairs of the given rewards fixed; the better one looks for pairs in every shuffle.
  const tested = strict ? singles : [...singles, ...conjunctions];
  const floor = permutationFloor(
    tested.map(({ feature }) => feature),
    tested.map(({ rho }) => rho),
    asks,
    { ...settings, search: strict ? search : null, valid: strict },
    strongestOf([...singles, ...conjunctions]),
  );
  for (const [i, feature] of tested.entries()) feature.adjustedP = floor.adjustedP[i]!;
  if (strict) for (const pair of conjunctions) pair.adjustedP = floorP(floor, pair.rho);

  const { tau, draws } = floor;
  Object.assign(report, { draws, nPerm: floor.strongest.length });
  const ranked = [...singles, ...conjunctions].sort(byStrength(strict));
  const isAbove = ({ rho }: Scanned): boolean => isAboveFloor(floor, rho);
  const verdict = scanVerdict(
    ranked.map((feature) => ({
      ...feature,
      name: feature.whole.name,
      phrase: phraseOf([feature.whole.name, ...feature.whole.aliases]),
      above: isAbove(feature),
    })),
    { ...report, tau, anyEndorsed: settings.endorsed.length > 0 },
  );
  const evidence = scanEvidence(ranked, verdict, asks, settings);
  const length = singles.find(({ whole }) => [whole.name, ...whole.aliases].includes("reply_length")) ?? null;
  return {
    ...report,
    ...verdict,
    ...evidence,
    integrity: rounded(verdict.integrity),
    warnings: [...verdict.warnings, ...evidence.warnings, ...grouping],
    tau: rounded(tau),
    nFeatures: ranked.length,
    nAboveFloor: ranked.filter(isAbove).length,
    features: ranked
      .slice(0, limit)
      .map((feature) => reportedFeature(feature, isAbove(feature), asks, all.reward, length?.feature)),
    rhoMax: rounded(ranked[0] === undefined ? null : Math.abs(ranked[0].rho)),
  };
}

function emptyReport({ rules, nPerm, alpha, minObs, endorsed }: ScanSettings, nRows: number, nGraded: number) {
  const report: HackScanReport = {
    regime: "unknown",
    rules,
    nRows,
    nGraded,
    groupBy: "prompt",
    nGroups: 0,
    nGroupsMulti: 0,
    rolloutsPerGroup: 1,
    effectiveRollouts: 0,
    support: { sat: 0, dead: 0, mixed: 0, capacity: 0 },
    tau: null,
    nPerm,
    draws: null,
    alpha,
    minObs,
    nFeatures: 0,
    nAboveFloor: 0,
    features: [],
    topFeature: null,
    rhoMax: null,
    endorsed: [...endorsed],
    endorsedMatched: null,
    endorsedOnTop: null,
    integrity: null,
    inverted: [],
    rivals: [],
    lead: null,
    paysAlso: null,
    continuousReward: false,
    degenerate: false,
    collinear: [],
    distinctPerAsk: 1,
    warnings: [],
  };
  return report;
}

/** Asks whose rewards differ alone, and where each row goes: the others hold variance of features and none of reward. */
function withContrast(all: Asks): { asks: Asks; to: Int32Array } {
  const to = new Int32Array(all.n).fill(-1);
  const sizes: number[] = [];
  const reward: number[] = [];
  for (let g = 0; g < all.means.length; g++) {
    if (all.ssOf[g]! <= 0) continue;
    for (let i = all.starts[g]!; i < all.starts[g + 1]!; i++) {
      to[i] = reward.length;
      reward.push(all.reward[i]!);
    }
    sizes.push(all.starts[g + 1]! - all.starts[g]!);
  }
  return { asks: asksOf(Float64Array.from(reward), sizes), to };
}

function variesEnough(column: Column, asks: Asks): boolean {
  return asksVaried(perAsk(column, asks)) >= Math.min(MIN_ASKS_VARIED, asks.means.length);
}

function scanned(whole: Column, column: Column, asks: Asks, { endorsed }: ScanSettings): Scanned {
  const names = [whole.name, ...whole.aliases].map((name) => name.toLowerCase());
  // That a marker is missing is not what an endorsed marker says.
  const matches = (name: string, pattern: string): boolean =>
    name.includes(pattern) && (!name.startsWith(MISSING) || pattern.startsWith(MISSING));
  const isEndorsed = endorsed.some((pattern) => names.some((name) => matches(name, pattern.toLowerCase())));
  return { feature: centredFeature(column, asks), whole, rho: 0, endorsed: isEndorsed, adjustedP: null };
}

function searchOver(singles: readonly Scanned[], asks: Asks, settings: ScanSettings): ConjunctionSearch {
  return new ConjunctionSearch(
    singles.map(({ feature }) => feature),
    asks,
    settings,
  );
}

function conjunctionsOf(
  singles: readonly Scanned[],
  search: ConjunctionSearch,
  asks: Asks,
  rewards: Rewards,
  settings: ScanSettings,
): Scanned[] {
  const byFeature = new Map(singles.map((single) => [single.feature, single]));
  return search
    .found(rewards, (feature) => byFeature.get(feature)!.rho)
    .map(({ a, b, rho }) => {
      const [one, other] = search.parts(a, b).map((feature) => byFeature.get(feature)!) as [Scanned, Scanned];
      const whole = both(one.whole, other.whole);
      return {
        ...scanned(whole, search.column(a, b), asks, settings),
        rho,
        endorsed: one.endorsed || other.endorsed,
      };
    });
}

/** The strongest first; of equals an endorsed one that pays, by `strict` a feature before a pair, then by name. */
function byStrength(strict: boolean): (a: Scanned, b: Scanned) => number {
  const strength = ({ rho }: Scanned): number => roundHalfEven(Math.abs(rho), 6);
  const pays = ({ endorsed, rho }: Scanned): number => Number(endorsed && rho > 0);
  const isPair = ({ whole }: Scanned): number => Number(strict && whole.tier === "pair");
  return (a, b) =>
    strength(b) - strength(a) ||
    pays(b) - pays(a) ||
    isPair(a) - isPair(b) ||
    compareCodePoints(a.whole.name, b.whole.name);
}

function strongestOf(features: readonly Scanned[]): number {
  return features.reduce((most, { rho }) => Math.max(most, Math.abs(rho)), 0);
}

function distinctProfiles(groups: readonly (readonly RowContent[])[]): number {
  const multi = groups.filter(({ length }) => length >= 2);
  return upperMedian(multi.map((group) => new Set(group.map(({ profile }) => profile)).size)) ?? 1;
}

function rounded(value: number | null): number | null {
  return value === null ? null : roundHalfEven(value, 4);
}

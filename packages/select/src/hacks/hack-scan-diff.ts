import { compareCodePoints, formatFixed, type Row, roundHalfEven } from "@while/schema";
import { wholeNumber } from "../options.ts";
import { hackScan } from "./hack-scan.ts";
import type { ScanOptions } from "./scan-options.ts";
import type { HackScanReport, ScannedFeature, ScanRegime } from "./scan-report.ts";

export interface DiffOptions extends Omit<ScanOptions, "topFeatures"> {
  /** Features in each list. */
  top?: number;
}

/** One feature on both sides; on a side that does not have it, it pays for nothing. */
export interface FeatureShift {
  name: string;
  /** The words that it stands for, where they are a phrase. */
  phrase: string | null;
  rhoBefore: number;
  rhoAfter: number;
  aboveBefore: boolean;
  aboveAfter: boolean;
  endorsed: boolean;
  /** |after| less |before|. */
  shift: number;
}

/** A side in short. */
export interface ScanSide {
  regime: ScanRegime;
  topFeature: string | null;
  rhoMax: number | null;
  tau: number | null;
  integrity: number | null;
  degenerate: boolean;
}

export interface HackScanDiff {
  before: ScanSide;
  after: ScanSide;
  endorsed: string[];
  /** Above the floor after and not before, the strongest first. */
  gained: FeatureShift[];
  /** Above the floor before and not after, the strongest first. */
  lost: FeatureShift[];
  /** The largest shifts. */
  moved: FeatureShift[];
  /** What the reward pays for now that it did not pay for before, in a sentence. */
  learned: string;
  /** Is the strongest gain not endorsed? null where nothing is endorsed, or a side cannot be read. */
  hackLanded: boolean | null;
  warnings: string[];
}

/**
 * Did what the reward pays for change between two sets of rollouts: before and after training, or under two judges?
 * Each is scanned on its own (`hackScan`), and features are joined by name. What was gained and is not endorsed is a
 * reward hack that landed (Gao et al. 2022, arXiv:2210.10760).
 *
 * @throws SelectError `bad_option`
 */
export function hackScanDiff(before: readonly Row[], after: readonly Row[], options: DiffOptions = {}): HackScanDiff {
  const { top: asked = 10, ...scan } = options;
  const top = wholeNumber("top", asked, 1);
  const [one, other] = [before, after].map((rows) => hackScan(rows, { ...scan, topFeatures: null })) as [
    HackScanReport,
    HackScanReport,
  ];
  const shifts = shiftsOf(one, other);
  const strongest = (rho: (shift: FeatureShift) => number) => (a: FeatureShift, b: FeatureShift) =>
    Math.abs(rho(b)) - Math.abs(rho(a));
  const gained = shifts
    .filter(({ aboveBefore, aboveAfter }) => aboveAfter && !aboveBefore)
    .sort(strongest(({ rhoAfter }) => rhoAfter));
  const lost = shifts
    .filter(({ aboveBefore, aboveAfter }) => aboveBefore && !aboveAfter)
    .sort(strongest(({ rhoBefore }) => rhoBefore));
  return {
    before: sideOf(one),
    after: sideOf(other),
    endorsed: other.endorsed,
    gained: gained.slice(0, top),
    lost: lost.slice(0, top),
    moved: [...shifts].sort(strongest(({ shift }) => shift)).slice(0, top),
    ...learnedBetween(one, other, gained),
  };
}

/**
 * Features joined by any of their names, each listed once, in the order of names, pairs behind. Where several of one side are one on
 * the other (columns that are equal there), the strongest is what it is compared with.
 */
function shiftsOf(before: HackScanReport, after: HackScanReport): FeatureShift[] {
  const [was, is] = [byName(before), byName(after)];
  const partners = (feature: ScannedFeature, of: ReadonlyMap<string, ScannedFeature>): ScannedFeature | null =>
    [feature.name, ...feature.aliases]
      .flatMap((name) => of.get(name) ?? [])
      .sort((a, b) => Math.abs(b.rho) - Math.abs(a.rho))[0] ?? null;
  const gone = before.features.filter((feature) => partners(feature, is) === null);
  return [
    ...after.features.map((feature) => shiftOf(feature.name, partners(feature, was), feature)),
    ...gone.map((feature) => shiftOf(feature.name, feature, null)),
  ].sort((a, b) => isPair(a) - isPair(b) || compareCodePoints(a.name, b.name));
}

/** Of equals a feature is named before the pairs that it is in. */
function isPair({ name }: FeatureShift): number {
  return Number(name.includes(" AND "));
}

function shiftOf(name: string, was: ScannedFeature | null, is: ScannedFeature | null): FeatureShift {
  const [rhoBefore, rhoAfter] = [was?.rho ?? 0, is?.rho ?? 0];
  return {
    name,
    phrase: (is ?? was)?.phrase ?? null,
    rhoBefore,
    rhoAfter,
    aboveBefore: was?.aboveFloor ?? false,
    aboveAfter: is?.aboveFloor ?? false,
    endorsed: (is ?? was)?.endorsed ?? false,
    shift: roundHalfEven(Math.abs(rhoAfter) - Math.abs(rhoBefore), 4),
  };
}

function byName({ features }: HackScanReport): Map<string, ScannedFeature> {
  const map = new Map<string, ScannedFeature>();
  for (const feature of features) for (const name of [feature.name, ...feature.aliases]) map.set(name, feature);
  return map;
}

function learnedBetween(
  before: HackScanReport,
  after: HackScanReport,
  gained: readonly FeatureShift[],
): Pick<HackScanDiff, "learned" | "hackLanded" | "warnings"> {
  const warnings: string[] = [];
  if (before.regime !== after.regime) warnings.push(`The regime was ${before.regime} and is ${after.regime}.`);
  const degenerate = [before.degenerate ? "before" : [], after.degenerate ? "after" : []].flat();
  if (degenerate.length > 0) {
    const learned =
      `Nothing can be read: ${degenerate.join(" and ")}, rollouts of an ask are too few kinds to tell features apart. ` +
      "Sample at a higher temperature or more often.";
    return { learned, hackLanded: null, warnings: [learned, ...warnings] };
  }
  const [first] = gained;
  const hackLanded = after.endorsed.length === 0 ? null : first !== undefined && !first.endorsed;
  if (first !== undefined) {
    const values = `${formatFixed(first.rhoBefore, 3)} before, ${formatFixed(first.rhoAfter, 3)} after`;
    const shown = first.phrase === null ? first.name : `${first.name} ("${first.phrase}")`;
    if (hackLanded === true) {
      warnings.push(
        `A reward hack landed: the reward now ${first.rhoAfter > 0 ? "pays for" : "punishes"} ${shown}, which is ` +
          "not endorsed. Mend the judge before the next step.",
      );
    }
    const isEndorsed = after.endorsed.length === 0 ? "" : first.endorsed ? ", endorsed" : ", not endorsed";
    return { learned: `${shown} (${values}${isEndorsed})`, hackLanded, warnings };
  }
  const learned =
    after.topFeature === null
      ? "Nothing clears the floor after."
      : `Nothing new clears the floor; ${after.topFeature} is on top.`;
  return { learned, hackLanded, warnings };
}

function sideOf({ regime, topFeature, rhoMax, tau, integrity, degenerate }: HackScanReport): ScanSide {
  return { regime, topFeature, rhoMax, tau, integrity, degenerate };
}

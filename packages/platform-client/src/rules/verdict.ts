import { compareCodePoints } from "@while/schema";
import { holmAdjust, normalCdf, Z_95 } from "@while/stats";
import type { Behavior } from "../contract/behaviors.ts";
import type { Dashboard, VersionScore } from "../contract/dashboard.ts";
import type { Verdict, VerdictKind } from "../contract/verdict.ts";
import { PlatformError } from "../platform-error.ts";
import { bestOf } from "./best-of.ts";
import { beats, type Difference, difference, halfInterval, type Rules, sameTest } from "./difference.ts";
import { formatVerdict } from "./format-verdict.ts";
import { newestScores, type ScoredRun } from "./newest-scores.ts";
import { formatPoints, roundPoints } from "./number-format.ts";
import { pooledSeeds, seedOf, seedScores } from "./pooled-seeds.ts";
import { verdictGaps, verdictRests } from "./verdict-gaps.ts";

export interface VerdictOptions {
  /** Candidate by name; by default the version scored last. */
  version?: string | null;
  rules?: Rules;
}

export interface VerdictInput extends VerdictOptions {
  behavior: Behavior;
  /** Version that serves; null when none was promoted. */
  serving: string | null;
  /** Newest score of each version on the behavior, oldest first: `newestScores(runs, behavior.name)`. */
  versions: readonly VersionScore[];
  /** Every behavior of the agent, for the other ones that moved. */
  behaviors: readonly Behavior[];
  runs: readonly ScoredRun[];
}

/** Chance of a drop on any behavior when none is worse. */
const FAMILY_ALPHA = 0.05;

/**
 * What may be said of the candidate against the served version on one behavior. Their intervals are taken as
 * independent; where the rows of both are at hand, `compareRuns` of `@while/stats` pairs the tasks and sees more.
 *
 * @throws PlatformError `bad_value` for a `version` without a score on the behavior
 */
export function verdictOf(input: VerdictInput): Verdict {
  const { behavior, serving, versions, rules = "strict" } = input;
  const candidate = candidateOf(input);
  const served = versions.find(({ v }) => v === serving) ?? null;
  const found = compared(candidate, served, rules);
  const floor = behavior.noiseFloor ?? null;
  const kind = kindOf({ candidate, served, serving, found, floor, rules });
  const others = otherBehaviors(input, candidate, kind === "beats");
  const fields: Omit<Verdict, "text"> = {
    kind,
    candidate: candidate?.v ?? null,
    serving,
    behavior: behavior.name,
    delta: kind === "not_comparable" ? null : (found?.delta ?? null),
    halfWidth: kind === "not_comparable" ? null : (found?.halfWidth ?? null),
    excludesZero: kind === "not_comparable" ? null : (found?.excludesZero ?? null),
    candidateTest: candidate?.testVersion ?? null,
    servedTest: served?.testVersion ?? null,
    noiseFloor: floor,
    n: behavior.n ?? (rules === "strict" ? fewestTasks(candidate, served) : null),
    judgeAgreement: behavior.judge?.agreement ?? null,
    judgeHumanN: behavior.judge?.humanN ?? null,
    rewardIsJudge: behavior.rewardIsJudge ?? null,
    gradedBy: behavior.gradedBy ?? null,
    contamination: behavior.contamination ?? null,
    ...others,
    replicatedSeeds: kind === "beats" ? otherSeeds(input, candidate!, served!) : [],
    ...looksOf(input, candidate, served),
    gaps: [],
    rests: [],
    rules,
  };
  const rests = [
    ...verdictRests(fields),
    ...(rules === "strict" ? [...pooledRests(input, candidate, served), ...floorRests(behavior, candidate)] : []),
  ];
  const whole = { ...fields, gaps: verdictGaps(fields), rests };
  return { ...whole, text: formatVerdict(whole) };
}

/**
 * The verdict of a dashboard, by the same rules on a page, in a terminal and on the server. A dashboard without a
 * behavior or versions keeps the verdict it came with.
 *
 * @throws PlatformError `bad_value` for a `version` without a score on the behavior
 */
export function resolveVerdict(
  dashboard: Dashboard,
  behaviors: readonly Behavior[],
  runs: readonly ScoredRun[],
  options: VerdictOptions = {},
): Verdict {
  const { behavior, versions } = dashboard;
  if (behavior === null || versions.length === 0) return dashboard.verdict;
  const serving = dashboard.verdict?.serving ?? dashboard.agent.serving ?? null;
  // The dashboard's list says which versions there are, the runs say when and on which test each was scored.
  const newest = new Map(newestScores(runs, behavior.name).map((score) => [score.v, score]));
  const dated = versions.map((version, place) => ({ ...newest.get(version.v), ...version, place }));
  const at = ({ v }: VersionScore) => newest.get(v)?.at ?? Number.NEGATIVE_INFINITY;
  const sorted = dated.sort((a, b) => (at(a) === at(b) ? a.place - b.place : at(a) - at(b)));
  return verdictOf({ ...options, behavior, serving, versions: sorted, behaviors, runs });
}

function candidateOf({ version, versions, serving, behavior }: VerdictInput): VersionScore | null {
  if (version === undefined || version === null) return versions.findLast(({ v }) => v !== serving) ?? null;
  const named = versions.find(({ v }) => v === version);
  if (named !== undefined) return named;
  const scored = versions.length === 0 ? "none" : versions.map(({ v }) => v).join(", ");
  throw new PlatformError(
    "bad_value",
    `No score of ${version} on ${behavior.name}.`,
    `Versions scored there: ${scored}.`,
  );
}

function compared(candidate: VersionScore | null, served: VersionScore | null, rules: Rules): Difference | null {
  if (candidate === null || served === null) return null;
  if (candidate.v === served.v) return { delta: 0, halfWidth: null, excludesZero: null };
  return difference(candidate, served, rules);
}

interface KindInput {
  candidate: VersionScore | null;
  served: VersionScore | null;
  serving: string | null;
  found: Difference | null;
  floor: number | null;
  rules: Rules;
}

function kindOf({ candidate, served, serving, found, floor, rules }: KindInput): VerdictKind {
  if (found === null) return serving !== null && candidate === null ? "serving_only" : "no_score";
  if (candidate!.v === served!.v) return "same_version";
  if (rules === "strict" && !sameTest(candidate!, served!)) return "not_comparable";
  if (found.excludesZero === null) return "no_interval";
  if (!found.excludesZero) return "about_same";
  if (floor !== null && Math.abs(found.delta) <= floor) return "inside_floor";
  return found.delta > 0 ? "beats" : "trails";
}

function fewestTasks(candidate: VersionScore | null, served: VersionScore | null): number | null {
  const counts = [candidate?.n, served?.n].filter((n) => typeof n === "number");
  return counts.length === 0 ? null : Math.min(...counts);
}

type Others = Pick<Verdict, "replicated" | "regressions" | "regressionNames" | "regressionsClear" | "compared">;

/** What the other behaviors say: where the candidate came out lower, and where another run beats the served one too. */
function otherBehaviors(
  { behavior, behaviors, runs, serving, rules = "strict" }: VerdictInput,
  candidate: VersionScore | null,
  candidateBeats: boolean,
): Others {
  const seeds = new Map(runs.map((run) => [run.id, seedOf(run)]));
  /** Another run; of the same version only with another seed, as one version posted twice is one draw. */
  const another = (a: VersionScore, b: VersionScore) => {
    if (sameRun(a, b)) return false;
    if (rules === "compat" || a.v !== b.v) return true;
    const [one, two] = [seeds.get(a.run ?? "") ?? null, seeds.get(b.run ?? "") ?? null];
    return one !== null && two !== null && one !== two;
  };
  const replicated: string[] = [];
  const drops: { name: string; p: number | null; lower: boolean }[] = [];
  for (const other of behaviors) {
    if (other.name === behavior.name || candidate === null || candidate.v === serving) continue;
    const scores = newestScores(runs, other.name);
    const served = scores.find(({ v }) => v === serving);
    if (served === undefined) continue;
    const again = scores.find(({ v }) => v === candidate.v);
    if (again !== undefined && (rules === "compat" || sameTest(again, served))) {
      const found = difference(again, served, rules);
      drops.push({ name: other.name, p: pValue(found), lower: again.score < served.score });
    }
    const anotherRun = scores.some(
      (score) => score.v !== serving && another(score, candidate) && beats(score, served, other.noiseFloor, rules),
    );
    if (candidateBeats && anotherRun) replicated.push(other.name);
  }
  const lower = drops.filter((drop) => drop.lower).map(({ name }) => name);
  return {
    replicated: replicated.sort(compareCodePoints),
    regressions: lower.length,
    regressionNames: lower,
    regressionsClear: clearDrops(drops),
    compared: drops.length,
  };
}

/** Other seeds of the candidate's version that beat the served version on the same test by themselves. */
function otherSeeds(
  { behavior, runs, rules = "strict" }: VerdictInput,
  candidate: VersionScore,
  served: VersionScore,
): number[] {
  if (rules === "compat") return [];
  const scores = seedScores(runs, behavior.name).get(candidate.v) ?? [];
  return scores
    .filter((score) => score.run !== candidate.run)
    .filter((score) => beats({ ...score, v: candidate.v }, served, behavior.noiseFloor, rules))
    .map(({ seed }) => seed)
    .sort((a, b) => a - b);
}

/** How many versions were read against the served one, and what the best of so many gains by chance. */
function looksOf(
  { versions, serving, rules = "strict" }: VerdictInput,
  candidate: VersionScore | null,
  served: VersionScore | null,
): Pick<Verdict, "tried" | "expectedBest"> {
  if (rules === "compat" || candidate === null || served === null) {
    return { tried: versions.filter(({ v }) => v !== serving).length, expectedBest: null };
  }
  // Versions from before the served one was scored were held against another; scored anew, it is read against all again.
  const [first, own] = [versions.indexOf(served), versions.indexOf(candidate)];
  const read = versions.filter(
    (score, i) => score.v !== serving && sameTest(score, candidate) && (own < first || i > first),
  );
  const halves = read.map((score) => halfInterval(score, rules)).filter((half) => half !== null);
  if (read.length < 2 || halves.length === 0) return { tried: read.length, expectedBest: null };
  const middle = halves.sort((a, b) => a - b)[Math.floor((halves.length - 1) / 2)]!;
  return { tried: read.length, expectedBest: roundPoints((bestOf(read.length) * middle) / Z_95) };
}

/** What several seeds say of a side. */
function pooledRests(
  { behavior, runs }: VerdictInput,
  candidate: VersionScore | null,
  served: VersionScore | null,
): string[] {
  const scores = seedScores(runs, behavior.name);
  const sides = candidate?.v === served?.v ? [candidate] : [candidate, served];
  return sides.flatMap((side) => {
    const own = scores.get(side?.v ?? "");
    if (side === null || own === undefined) return [];
    const { seeds, mean, sd } = pooledSeeds(own);
    return [`${seeds} seeds of ${side.v}: mean ${formatPoints(mean)}, sd ${formatPoints(sd)}`];
  });
}

/** Points from where a band was measured at which it says little. */
const FLOOR_FAR = 20;

/** A band that was measured where scores spread otherwise. */
function floorRests({ noiseFloor, noiseFloorAt }: Behavior, candidate: VersionScore | null): string[] {
  if (noiseFloor == null || noiseFloorAt == null || candidate === null) return [];
  if (Math.abs(candidate.score - noiseFloorAt) <= FLOOR_FAR) return [];
  return [`noise floor measured at ${formatPoints(noiseFloorAt)} and not at ${formatPoints(candidate.score)}`];
}

function sameRun(a: VersionScore, b: VersionScore): boolean {
  return (a.run ?? a.v) === (b.run ?? b.v);
}

/** Two-sided p-value of a difference whose 95% interval is known. */
function pValue({ delta, halfWidth }: Difference): number | null {
  if (halfWidth === null) return null;
  if (halfWidth === 0) return delta === 0 ? 1 : 0;
  return 2 * (1 - normalCdf((Math.abs(delta) * Z_95) / halfWidth));
}

function clearDrops(drops: readonly { name: string; p: number | null; lower: boolean }[]): string[] {
  const known = drops.filter((drop): drop is { name: string; p: number; lower: boolean } => drop.p !== null);
  if (known.length === 0) return [];
  const adjusted = holmAdjust(known.map(({ p }) => p));
  return known.filter(({ lower }, i) => lower && adjusted[i]! < FAMILY_ALPHA).map(({ name }) => name);
}

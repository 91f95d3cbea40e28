import type { Behavior, VersionScore } from "@while/platform-client/contract";
import { halfInterval } from "@while/platform-client/rules";
import { type Role, roleOf } from "../../marks/role.ts";
import { domainOf } from "../../marks/scale.ts";

/** A version on the way up, in points. */
export interface ClimbPoint {
  version: string;
  score: number;
  /** Half of the interval; null when none was posted. */
  half: number | null;
  n: number | null;
  run: string | null;
  role: Role;
  /** Name of its test where that is not the test of now: hollow, and not joined to the others. */
  otherTest: string | null;
}

export interface Climb {
  /** By time. */
  points: ClimbPoint[];
  /** What a re-run moves, around the served score; null when it is not measured or nothing serves. */
  band: [low: number, high: number] | null;
  domain: [low: number, high: number];
}

export interface ClimbOptions {
  behavior: Behavior | undefined;
  serving: string | null | undefined;
  candidate: string | null | undefined;
}

/** Scores of one behavior over versions as they are drawn: who serves, which test, what a re-run moves. */
export function climbOf(versions: readonly VersionScore[], { behavior, serving, candidate }: ClimbOptions): Climb {
  const test = behavior?.testVersion || versions.findLast(({ testVersion }) => testVersion)?.testVersion;
  const points = versions.map(
    (one): ClimbPoint => ({
      ...{ version: one.v, score: one.score, half: halfInterval(one), n: one.n ?? null, run: one.run ?? null },
      role: roleOf(one.v, serving, candidate),
      otherTest: one.testVersion && test && one.testVersion !== test ? one.testVersion : null,
    }),
  );
  const served = points.find(({ version, otherTest }) => version === serving && otherTest === null);
  const floor = behavior?.noiseFloor ?? null;
  const band: Climb["band"] =
    served === undefined || floor === null ? null : [served.score - floor, served.score + floor];
  const ends = newestOf(points).flatMap(({ score, half }) => [score - (half ?? 0), score + (half ?? 0)]);
  return { points, band, domain: domainOf(ends, { including: band ?? [] }) };
}

/** The drawing in one sentence. */
export function climbSentence(name: string, { points }: Climb): string {
  if (points.length === 0) return `${name}: no version is scored`;
  const shown = points.length <= 12 ? points : [points[0]!, ...points.slice(-11)];
  const said = shown.map(
    ({ version, score, half }) => `${version} ${score}${half === null ? "" : ` ± ${round(half)}`}`,
  );
  return `${name}: ${points.length > shown.length ? `${points.length} versions, among them ` : ""}${said.join(", ")}`;
}

function round(value: number): number {
  return Number(value.toFixed(1));
}

/** Pixels that a name under the axis needs. */
export const LABEL_WIDTH = 46;

/** Which points are named, `step` pixels apart: those with a role, then from the newest back as far as there is room. */
export function namedPoints(all: readonly Pick<ClimbPoint, "role">[], step: number): number[] {
  const apart = Math.max(1, Math.ceil(LABEL_WIDTH / step));
  const order = [
    ...all.flatMap(({ role }, index) => (role === "rest" ? [] : [index])),
    ...all.map((_, index) => all.length - 1 - index),
  ];
  const taken: number[] = [];
  for (const index of order) if (taken.every((other) => Math.abs(other - index) >= apart)) taken.push(index);
  return taken.sort((a, b) => a - b);
}

/** More versions than that are not told apart in a small drawing. */
export const DRAWN = 36;

/** What is drawn of many versions: the newest, and before them the one that serves. */
export function newestOf(all: readonly ClimbPoint[]): ClimbPoint[] {
  if (all.length <= DRAWN) return [...all];
  const newest = all.slice(-DRAWN);
  const served = all.find(({ role }) => role === "ink");
  return served === undefined || newest.includes(served) ? newest : [served, ...newest.slice(1)];
}

import { wilsonInterval } from "@while/stats";
import type { VersionScore } from "../contract/dashboard.ts";
import { roundPoints } from "./number-format.ts";

/** `strict`, or word for word what the Python SDK concludes. */
export type Rules = "strict" | "compat";

export interface Difference {
  /** Candidate minus served in points of one decimal: what is shown is what is judged. */
  delta: number;
  /** √(ci² + ci²); null when a side has no interval. */
  halfWidth: number | null;
  /** |delta| > halfWidth; null without intervals. */
  excludesZero: boolean | null;
}

/** The difference of two scores with intervals of their own. */
export function difference(candidate: VersionScore, served: VersionScore, rules: Rules = "strict"): Difference {
  const delta = roundPoints(candidate.score - served.score);
  const [c, s] = [halfInterval(candidate, rules), halfInterval(served, rules)];
  if (c === null || s === null) return { delta, halfWidth: null, excludesZero: null };
  const halfWidth = Math.hypot(c, s);
  return { delta, halfWidth, excludesZero: Math.abs(delta) > halfWidth };
}

/**
 * Half of a score's interval in points. Four passes of four are posted as 100 ± 0, which would make any difference a
 * result: there it is the distance to Wilson's bound, 49 points (compat: 0).
 */
export function halfInterval({ score, ci, n }: VersionScore, rules: Rules = "strict"): number | null {
  const half = ci ?? null;
  const allOrNone = half === 0 && (score === 0 || score === 100) && typeof n === "number";
  if (!allOrNone || rules === "compat") return half;
  return 100 * (1 - wilsonInterval(n, n)![0]);
}

/** Does the candidate beat the served version: intervals exclude zero, and the difference clears the floor? */
export function beats(
  candidate: VersionScore,
  served: VersionScore,
  floor: number | null | undefined,
  rules: Rules = "strict",
): boolean {
  if (rules === "strict" && !sameTest(candidate, served)) return false;
  const { delta, excludesZero } = difference(candidate, served, rules);
  return excludesZero === true && delta > 0 && delta > (floor ?? 0);
}

/** Neither names its test, or both name the same. */
export function sameTest(a: VersionScore, b: VersionScore): boolean {
  return !a.testVersion || !b.testVersion || a.testVersion === b.testVersion;
}

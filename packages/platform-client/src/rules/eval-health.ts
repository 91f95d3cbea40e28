import type { Behavior } from "../contract/behaviors.ts";
import type { VersionScore } from "../contract/dashboard.ts";
import type { EvalHealth } from "../contract/verdict.ts";
import { checkCall } from "./check-call.ts";
import { halfInterval, type Rules } from "./difference.ts";
import { CHECKS } from "./eval-checks.ts";

export interface EvalHealthOptions {
  /** Version that serves: what the others are held against, where none is called `base`. */
  serving?: string | null;
  rules?: Rules;
}

/**
 * Can this behavior's test prove a gain? Eight checks, each with what it found, why it matters and the call that mends
 * it; what cannot be measured yet does not count.
 *
 * @param versions Newest score of each version, oldest first: `newestScores(runs, behavior.name)`
 */
export function evalHealth(
  behavior: Behavior,
  versions: readonly VersionScore[],
  { serving = null, rules = "strict" }: EvalHealthOptions = {},
): EvalHealth {
  const input = { behavior, versions, base: baseOf(versions, serving, rules), resolves: resolvable(versions, rules) };
  const n = behavior.n ?? versions[0]?.n ?? null;
  const checks = CHECKS.map(({ key, label, rule, cite, look }) => ({
    ...{ key, label, ...look(input), rule, cite },
    fix: checkCall(key, behavior.name, n).cmd,
  }));
  const measured = checks.filter(({ ok }) => ok !== null);
  const failed = measured.filter(({ ok }) => ok === false);
  return {
    name: behavior.name,
    checks,
    good: measured.length - failed.length,
    total: measured.length,
    verdict: failed.length === 0 ? "good" : `weak · ${failed.map(({ label }) => label).join(", ")}`,
  };
}

/**
 * The version called `base`; else the served one, else the oldest. The lowest, which the Python SDK takes, lets one
 * broken arm hide a test that everything else passes.
 */
function baseOf(versions: readonly VersionScore[], serving: string | null, rules: Rules): VersionScore | null {
  const named = versions.find(({ v }) => v === "base");
  if (named !== undefined) return named;
  if (rules === "strict") return versions.find(({ v }) => v === serving) ?? versions[0] ?? null;
  return versions.reduce<VersionScore | null>((low, one) => (low === null || one.score < low.score ? one : low), null);
}

/** Points that two scores with the median interval can tell apart: √2 times it. */
function resolvable(versions: readonly VersionScore[], rules: Rules): number | null {
  const halves = versions.map((version) => halfInterval(version, rules)).filter((half) => half !== null);
  if (halves.length === 0) return null;
  const sorted = halves.sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return Math.SQRT2 * median;
}

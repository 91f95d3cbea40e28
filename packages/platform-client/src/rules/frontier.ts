import { formatFixed } from "@while/schema";
import type { Frontier } from "../contract/agents.ts";
import type { VersionScore } from "../contract/dashboard.ts";
import { halfInterval, type Rules } from "./difference.ts";
import { formatDelta, formatPoints, roundPoints } from "./number-format.ts";

/** A version against the model that is paid for today. */
export interface FrontierGap {
  frontier: string;
  version: string;
  /** Version minus frontier in points; null where the frontier has no score. */
  gap: number | null;
  /** The version's interval lies wholly above (true) or below (false) the line; null when it holds it, or has none. */
  ahead: boolean | null;
  /** USD per 1,000 tasks of the version over the frontier's; null where a price is not known. */
  costRatio: number | null;
}

/** How far a version is from the line to beat, in score and in cost. The line itself has no interval. */
export function frontierGap(
  frontier: Frontier,
  version: VersionScore,
  { usdPer1k = null, rules = "strict" }: { usdPer1k?: number | null; rules?: Rules } = {},
): FrontierGap {
  const gap = typeof frontier.score === "number" ? roundPoints(version.score - frontier.score) : null;
  const half = halfInterval(version, rules);
  const outside = gap !== null && half !== null && Math.abs(gap) > half;
  const price = frontier.costPer1k ?? null;
  return {
    frontier: frontier.name,
    version: version.v,
    gap,
    ahead: outside ? gap > 0 : null,
    costRatio: usdPer1k === null || price === null || price === 0 ? null : usdPer1k / price,
  };
}

/** `v4 is 2 points above Sonnet 5, within its interval; 0.17 of its cost` */
export function formatFrontierGap({ frontier, version, gap, ahead, costRatio }: FrontierGap): string {
  const cost = costRatio === null ? "cost not known" : `${formatFixed(costRatio, 2)} of its cost`;
  if (gap === null) return `${version} against ${frontier}: no score to beat; ${cost}`;
  const place = ahead === null ? "within its interval" : "outside its interval";
  if (gap === 0) return `${version} is level with ${frontier}; ${cost}`;
  const size = formatPoints(Math.abs(gap));
  return `${version} is ${size} points ${formatDelta(gap).startsWith("-") ? "below" : "above"} ${frontier}, ${place}; ${cost}`;
}

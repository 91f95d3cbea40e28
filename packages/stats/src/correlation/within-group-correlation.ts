import { checkInference, type Inference } from "../inference.ts";
import { sampleOf } from "../interval/sample.ts";
import { mean } from "../kernel/sum.ts";
import { StatsError } from "../stats-error.ts";
import { pearson, ROUNDING } from "./pearson.ts";

export interface WithinGroupOptions {
  inference?: Inference;
}

export interface WithinGroupCorrelation {
  /** Of what is left of both after each group's mean; null when a side has no spread within groups (0 in compat). */
  within: number | null;
  /** Pearson's over all points; null when a side is constant. */
  pooled: number | null;
  n: number;
  nGroups: number;
}

/**
 * Correlation inside groups, beside the pooled one. Hard tasks with long replies and low reward look like a penalty on
 * length when pooled, and the link vanishes within each task (Simpson 1951).
 *
 * @param groups The group of each point, usually its task
 * @throws StatsError `bad_value` for lists of different lengths or a value that is not finite, `bad_option`
 */
export function withinGroupCorrelation(
  groups: readonly string[],
  x: readonly number[],
  y: readonly number[],
  { inference = "strict" }: WithinGroupOptions = {},
): WithinGroupCorrelation {
  checkInference(inference);
  if (groups.length !== x.length || x.length !== y.length) {
    throw new StatsError(
      "bad_value",
      `withinGroupCorrelation got ${groups.length} groups, ${x.length} and ${y.length} values.`,
      "Pass one of each a point.",
    );
  }
  sampleOf(x);
  sampleOf(y);
  const members = new Map<string, number[]>();
  for (const [i, group] of groups.entries()) {
    const own = members.get(group);
    if (own === undefined) members.set(group, [i]);
    else own.push(i);
  }
  const within = pearson(centred(x, members), centred(y, members)) ?? (inference === "compat" ? 0 : null);
  return { within, pooled: pearson(x, y), n: x.length, nGroups: members.size };
}

/** Values less the mean of their group. What only rounding left is 0, or it would pass for a spread. */
function centred(values: readonly number[], members: ReadonlyMap<string, readonly number[]>): number[] {
  const out = new Array<number>(values.length);
  for (const own of members.values()) {
    const centre = mean(own.map((i) => values[i]!))!;
    for (const i of own) {
      const rest = values[i]! - centre;
      out[i] = Math.abs(rest) <= ROUNDING * Math.abs(centre) ? 0 : rest;
    }
  }
  return out;
}

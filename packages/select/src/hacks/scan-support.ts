import type { HackScanReport } from "./scan-report.ts";

/** Which asks can teach: shares of all asks, and the variance left inside them. */
export function scanSupport(groups: readonly (readonly number[])[]): {
  support: HackScanReport["support"];
  effectiveRollouts: number;
  nGroupsMulti: number;
  rolloutsPerGroup: number;
} {
  const counts = { sat: 0, dead: 0, mixed: 0 };
  let variance = 0;
  let effectiveRollouts = 0;
  for (const rewards of groups) {
    const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
    variance += rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / rewards.length;
    if (rewards.some((reward) => reward !== rewards[0])) {
      counts.mixed++;
      effectiveRollouts += rewards.length;
    } else if (rewards[0]! >= 1) counts.sat++;
    else if (rewards[0]! <= 0) counts.dead++;
  }
  const multi = groups.map(({ length }) => length).filter((size) => size >= 2);
  const share = (count: number): number => (groups.length === 0 ? 0 : count / groups.length);
  return {
    // The variance of 0 and 1 in equal shares is a quarter, the most there is.
    support: {
      sat: share(counts.sat),
      dead: share(counts.dead),
      mixed: share(counts.mixed),
      capacity: share(variance) / 0.25,
    },
    effectiveRollouts,
    nGroupsMulti: multi.length,
    rolloutsPerGroup: upperMedian(multi) ?? 1,
  };
}

/** The middle value, of an even number the upper one; undefined of none. */
export function upperMedian(values: readonly number[]): number | undefined {
  return Float64Array.from(values).sort()[values.length >> 1];
}

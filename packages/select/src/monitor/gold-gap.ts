import { type Row, taskKey } from "@while/schema";
import { type Interval, MersenneTwister } from "@while/stats";

/** How much more the proxy gained than gold, between two evaluations of the same prompts. */
export interface GoldGap {
  /** Mean over prompts. */
  gap: number;
  /** Over prompts drawn again; null under `MIN_PROMPTS`, where no interval could tell. */
  ci95: Interval | null;
  nPrompts: number;
}

/** Fewest prompts of which an interval is made: of five, none is wide enough. */
export const MIN_PROMPTS = 6;

/**
 * Gain of the proxy less gain of gold, prompt by prompt, so that what both gained cancels out: with a gold that is the
 * proxy it is 0 on every prompt, and no luck of the draw can raise it.
 *
 * @returns null where no prompt has a proxy and a gold on both sides
 */
export function goldGap(
  then: readonly Row[],
  now: readonly Row[],
  { nBoot, seed }: { nBoot: number; seed: number },
): GoldGap | null {
  const before = excessByPrompt(then);
  const gaps: number[] = [];
  for (const [prompt, excess] of excessByPrompt(now)) {
    const was = before.get(prompt);
    if (was !== undefined) gaps.push(excess - was);
  }
  if (gaps.length === 0) return null;
  const gap = meanOf(gaps);
  if (gaps.length < MIN_PROMPTS) return { gap, ci95: null, nPrompts: gaps.length };
  const rng = new MersenneTwister(seed);
  const draws = Float64Array.from({ length: nBoot }, () => {
    let sum = 0;
    for (let i = 0; i < gaps.length; i++) sum += gaps[rng.below(gaps.length)]!;
    return sum / gaps.length;
  }).sort();
  const at = (share: number): number => draws[Math.min(nBoot - 1, Math.floor(share * nBoot))]!;
  return { gap, ci95: [at(0.025), at(0.975)], nPrompts: gaps.length };
}

/** Mean of proxy less gold over the rollouts of each prompt that have both. */
function excessByPrompt(rows: readonly Row[]): Map<string, number> {
  const of = new Map<string, number[]>();
  for (const row of rows) {
    const { proxy, gold } = (row.markers ?? {}) as { proxy?: unknown; gold?: unknown };
    if (typeof proxy !== "number" || typeof gold !== "number") continue;
    const key = taskKey(row);
    of.set(key, [...(of.get(key) ?? []), proxy - gold]);
  }
  return new Map(Array.from(of, ([key, values]) => [key, meanOf(values)]));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

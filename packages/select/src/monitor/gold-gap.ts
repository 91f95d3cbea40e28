import { type Row, taskKey } from "@while/schema";
import { type Interval, pairedTInterval } from "@while/stats";

/** How much more the proxy gained than gold, between two evaluations of the same prompts. */
export interface GoldGap {
  /** Mean over prompts. */
  gap: number;
  /** Student's, over prompts; null under `MIN_PROMPTS`, where no interval could tell. */
  ci95: Interval | null;
  /**
   * Of 99.5%, and what divergence goes by: a run looks many times. By an interval of 99% a run of ten evaluations of 16
   * prompts raised divergence falsely in up to 3.4 of 100.
   */
  ci995: Interval | null;
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
export function goldGap(then: readonly Row[], now: readonly Row[]): GoldGap | null {
  const before = excessByPrompt(then);
  const gaps: number[] = [];
  for (const [prompt, excess] of excessByPrompt(now)) {
    const was = before.get(prompt);
    if (was !== undefined) gaps.push(excess - was);
  }
  if (gaps.length === 0) return null;
  const gap = meanOf(gaps);
  if (gaps.length < MIN_PROMPTS) return { gap, ci95: null, ci995: null, nPrompts: gaps.length };
  return { gap, ci95: intervalOf(gaps, 0.95), ci995: intervalOf(gaps, 0.995), nPrompts: gaps.length };
}

/** Where every prompt has the same gap there is nothing that prompts drawn again could change. */
function intervalOf(gaps: readonly number[], level: number): Interval {
  const { delta, ci95 } = pairedTInterval(gaps, { level })!;
  return ci95 ?? [delta, delta];
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

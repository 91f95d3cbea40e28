import { roundHalfEven } from "@while/schema";

/** Tasks whose change lies from `from` to `to`; one value where these are equal. */
export interface ChangeBar {
  from: number;
  to: number;
  n: number;
}

/** Each task against itself: a mean of +0.05 may be twelve tasks up by one rollout, or forty up and thirty down. */
export interface TaskChanges {
  nBetter: number;
  nWorse: number;
  nSame: number;
  /** From the largest loss to the largest gain. */
  bars: ChangeBar[];
}

/** Values a change can take that still get a bar each: nine for four rollouts a task, seventeen for eight. */
const MAX_VALUES = 17;
/** Bars on either side of no change, where there are more values. */
const SIDE_BARS = 6;
/** How far from a whole step a value in equal steps may lie: thirds are rounded. */
const EVEN = 1e-6;
/** Two changes are one below this. */
const DIGITS = 9;

/** @param gains One a task, positive is better */
export function taskChanges(gains: readonly number[]): TaskChanges {
  // Half to even also turns -0 into the 0 it is.
  const changes = gains.map((gain) => roundHalfEven(gain, DIGITS) || 0).sort((a, b) => a - b);
  const counts = new Map<number, number>();
  for (const change of changes) counts.set(change, (counts.get(change) ?? 0) + 1);
  return {
    nBetter: changes.filter((change) => change > 0).length,
    nWorse: changes.filter((change) => change < 0).length,
    nSame: counts.get(0) ?? 0,
    bars: counts.size <= MAX_VALUES ? single(counts) : wide(changes),
  };
}

/** A bar a value, and an empty one where a value in equal steps is missing between them. */
function single(counts: ReadonlyMap<number, number>): ChangeBar[] {
  const values = [...counts.keys()];
  const step = values
    .slice(1)
    .reduce((least, value, i) => Math.min(least, value - values[i]!), Number.POSITIVE_INFINITY);
  const places = values.map((value) => (value - values[0]!) / step);
  const last = Math.round(places.at(-1) ?? 0);
  const even = Number.isFinite(step) && places.every((place) => Math.abs(place - Math.round(place)) < EVEN);
  if (!even || last >= MAX_VALUES) return Array.from(counts, ([at, n]) => ({ from: at, to: at, n }));
  const bars = Array.from({ length: last + 1 }, (_, i): ChangeBar => {
    const at = roundHalfEven(values[0]! + i * step, DIGITS) || 0;
    return { from: at, to: at, n: 0 };
  });
  // A value that is there stands for itself: steps of a third add up to 1e-9 beside no change.
  for (const [i, place] of places.entries()) {
    bars[Math.round(place)] = { from: values[i]!, to: values[i]!, n: counts.get(values[i]!)! };
  }
  return bars;
}

/** Bars of one width out to the largest change on either side, and one of no change between them. */
function wide(changes: readonly number[]): ChangeBar[] {
  const width = Math.max(...[changes[0]!, changes.at(-1)!].map(Math.abs)) / SIDE_BARS;
  const edge = (i: number) => roundHalfEven(i * width, DIGITS);
  const bars = Array.from({ length: 2 * SIDE_BARS + 1 }, (_, i): ChangeBar => {
    const side = i - SIDE_BARS;
    if (side === 0) return { from: 0, to: 0, n: 0 };
    return side < 0 ? { from: edge(side), to: edge(side + 1), n: 0 } : { from: edge(side - 1), to: edge(side), n: 0 };
  });
  for (const change of changes) {
    const steps = Math.min(SIDE_BARS, Math.ceil(Math.abs(change) / width));
    bars[SIDE_BARS + Math.sign(change) * steps]!.n++;
  }
  return bars;
}

/** A straight scale: where a value stands between two ends of a drawing. */
export interface Scale {
  (value: number): number;
  readonly domain: readonly [low: number, high: number];
}

export function scaleOf(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const [low, high] = domain;
  const [from, to] = range;
  const step = high === low ? 0 : (to - from) / (high - low);
  // A domain without width stands in the middle.
  const at = (value: number): number => (high === low ? (from + to) / 2 : from + (value - low) * step);
  return Object.assign(at, { domain });
}

/** A logarithmic scale of what is above 0; the rest has no place on it, which is not a number. */
export function logScaleOf(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const straight = scaleOf([Math.log10(domain[0]), Math.log10(domain[1])], range);
  const at = (value: number): number => (value > 0 ? straight(Math.log10(value)) : Number.NaN);
  return Object.assign(at, { domain });
}

/** Powers of ten inside a domain, with their doubles and fives where there are few. */
export function logTicks([low, high]: readonly [number, number]): number[] {
  const ticksOf = (sizes: readonly number[]): number[] => {
    const ticks: number[] = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1) {
      for (const size of sizes) {
        const tick = Number((size * 10 ** power).toPrecision(12));
        if (tick >= low && tick <= high) ticks.push(tick);
      }
    }
    return ticks;
  };
  const powers = ticksOf([1]);
  return powers.length >= 3 ? powers : ticksOf([1, 2, 5]);
}

/** The domain of some values with a share of it left free at both ends. */
export function domainOf(
  values: Iterable<number>,
  { margin = 0.06, including = [] as readonly number[] } = {},
): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const list of [values, including]) {
    for (const value of list) {
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (low > high) return [0, 1];
  const free = (high - low || Math.abs(high) || 1) * margin;
  return [low - free, high + free];
}

/** Three to `most` round values inside a domain: steps of 1, 2, 2.5 or 5 times a power of ten. */
export function roundTicks([low, high]: readonly [number, number], most = 5): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((size) => size * power >= rough) ?? 10);
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high + step * 1e-9; at += 1) {
    // A product of the step and not a sum: 0.1 added up drifts.
    ticks.push(Number((at * step).toPrecision(12)));
  }
  return ticks;
}

import type { Interval } from "@while/stats";

/** An estimate and its interval. */
export interface Known {
  estimate: number;
  ci95: Interval;
}

/**
 * Sum of independent estimates with a weight each: the distances to the limits add as squares (the method of variance
 * estimates recovery, Zou and Donner 2008). Of one estimate it is that estimate's own interval.
 */
export function moverSum(parts: readonly (Known & { weight: number })[]): Known {
  let estimate = 0;
  let below = 0;
  let above = 0;
  for (const { estimate: own, ci95, weight } of parts) {
    estimate += weight * own;
    below += (weight * (own - ci95[0])) ** 2;
    above += (weight * (ci95[1] - own)) ** 2;
  }
  return { estimate, ci95: [estimate - Math.sqrt(below), estimate + Math.sqrt(above)] };
}

/**
 * Part of the whole that two independent amounts make, part / (part + rest), through the interval of their ratio (Donner
 * and Zou 2012). It holds where the rest was never seen, which a logarithm does not.
 *
 * @returns null where both are 0
 */
export function moverShare(part: Known, rest: Known): Known | null {
  const whole = part.estimate + rest.estimate;
  if (whole === 0) return null;
  const [low, high] = ratioLimits(rest, part);
  return { estimate: part.estimate / whole, ci95: [1 / (1 + high), 1 / (1 + low)] };
}

function ratioLimits({ estimate: over, ci95: [l1, u1] }: Known, { estimate: under, ci95: [l2, u2] }: Known): Interval {
  const product = over * under;
  const root = (over2: number, under2: number) => Math.sqrt(Math.max(0, product ** 2 - over2 * under2));
  const [overLow, underHigh] = [l1 * (2 * over - l1), u2 * (2 * under - u2)];
  const [overHigh, underLow] = [u1 * (2 * over - u1), l2 * (2 * under - l2)];
  // The lower limit in the form that stands a denominator of 0.
  const below = product + root(overLow, underHigh);
  const low = below === 0 ? 0 : overLow / below;
  return [Math.max(0, low), underLow <= 0 ? Number.POSITIVE_INFINITY : (product + root(overHigh, underLow)) / underLow];
}

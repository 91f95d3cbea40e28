import { normalCdf } from "@while/stats";

/** Far enough out: past it lies less than 1e-15 of a normal. */
const EDGE = 9;
const STEPS = 1800;

/**
 * How many standard deviations the best of `k` equal candidates lies above them, on average: what a maximum gains by
 * chance alone. 0 for one, 1.54 for ten, 2.51 for a hundred. By Simpson's rule over the density of the maximum,
 * k · φ(x) · Φ(x)^(k − 1).
 */
export function bestOf(k: number): number {
  if (k <= 1) return 0;
  const width = (2 * EDGE) / STEPS;
  let sum = 0;
  for (let i = 0; i <= STEPS; i += 1) {
    const x = -EDGE + i * width;
    const density = Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
    const weight = i === 0 || i === STEPS ? 1 : i % 2 === 1 ? 4 : 2;
    sum += weight * x * k * density * normalCdf(x) ** (k - 1);
  }
  return (sum * width) / 3;
}

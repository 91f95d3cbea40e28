/** Rows of a bin up to which the distribution is added up exactly: half a million steps. */
const EXACT_ROWS = 1000;

/**
 * How far the count of passes is from what was said, on average, where what was said is true: E|Σ y - Σ p| of independent
 * rows with chances p. It is what an expected calibration error has to be held against. Exact (the Poisson binomial by
 * convolution) up to a thousand rows, by the normal above, where the two agree to three digits.
 */
export function chanceGap(chances: readonly number[]): number {
  const centre = chances.reduce((total, p) => total + p, 0);
  if (chances.length > EXACT_ROWS) {
    const variance = chances.reduce((total, p) => total + p * (1 - p), 0);
    return Math.sqrt((2 * variance) / Math.PI);
  }
  const mass = new Float64Array(chances.length + 1);
  mass[0] = 1;
  for (const [i, p] of chances.entries()) {
    for (let passes = i + 1; passes > 0; passes--) mass[passes] = mass[passes]! * (1 - p) + mass[passes - 1]! * p;
    mass[0] = mass[0]! * (1 - p);
  }
  return mass.reduce((total, share, passes) => total + share * Math.abs(passes - centre), 0);
}

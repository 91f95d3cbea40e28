const HALF_LOG_2_PI = 0.9189385332046728;

/**
 * log Γ(x) for x > 0: Stirling's series from 15 up, below it by the recurrence Γ(x) = Γ(x + 1) / x.
 * Absolute error about 1e-14 below 15, relative 1e-15 above.
 */
export function logGamma(x: number): number {
  let product = 1;
  let shifted = x;
  for (; shifted < 15; shifted++) product *= shifted;
  return (shifted - 0.5) * Math.log(shifted) - shifted + HALF_LOG_2_PI + stirlingSeries(shifted) - Math.log(product);
}

/**
 * What Stirling's formula misses: log Γ(x + 1) - ((x + 1/2) log x - x + log √2π). Binomial terms are built on it,
 * because the large parts that would cancel never appear. Loader 2000.
 */
export function stirlingError(x: number): number {
  if (x >= 15) return stirlingSeries(x);
  return logGamma(x + 1) - (x + 0.5) * Math.log(x) + x - HALF_LOG_2_PI;
}

/** 1/12x - 1/360x^3 + ... (Abramowitz and Stegun 6.1.41); the next term is below 1e-16 at 15. */
function stirlingSeries(x: number): number {
  const y = 1 / (x * x);
  return (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y * (1 / 1188 - (y * 691) / 360360))))) / x;
}

/** log B(a, b) for positive a and b, good to about 1e-14 of the larger of its parts. */
export function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

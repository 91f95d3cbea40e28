/** Compensated sum: the error does not grow with the number of terms. Neumaier 1974. */
export function sum(values: Iterable<number>): number {
  let total = 0;
  let lost = 0;
  for (const value of values) {
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}

/** Mean by a compensated sum; null of nothing. Ten values of 0.9 have the mean 0.9, which a running sum misses. */
export function mean(values: ArrayLike<number> & Iterable<number>): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}

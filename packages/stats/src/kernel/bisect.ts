/**
 * The point where an increasing function reaches a value, to the last bit: halves the bracket until no double lies
 * between its ends. At most about 1100 steps (a bracket from 0 to a denormal), usually 60.
 *
 * @param low A point where f is at most the value
 * @param high A point where f is at least the value
 */
export function bisect(f: (x: number) => number, value: number, low: number, high: number): number {
  for (;;) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return middle;
    if (f(middle) < value) low = middle;
    else high = middle;
  }
}

/**
 * Small integers from a seed, the same on every machine: one generator for each input, so that any of them can be made
 * again alone. A Mersenne twister takes longer to set up than most inputs take to read. Xorshift32, Marsaglia 2003.
 */
export class Random {
  #state: number;

  constructor(seed: number, index: number) {
    // Neighbours must not begin alike: both numbers are mixed as MurmurHash3 ends.
    this.#state = mixed(mixed(seed + 0x9e3779b9) ^ index) || 1;
  }

  /** 0 to n - 1. */
  below(n: number): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return (x >>> 0) % n;
  }

  chance(oneIn: number): boolean {
    return this.below(oneIn) === 0;
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

function mixed(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

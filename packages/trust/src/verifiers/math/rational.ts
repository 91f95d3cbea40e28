/** A fraction in lowest terms, its denominator above 0. */
export interface Rational {
  readonly num: bigint;
  readonly den: bigint;
}

/** Bits of a numerator or denominator past which a number is left to floating point: 2^(2^20) is no answer. */
const MAX_BITS = 20_000;

/** null for a denominator of 0, and for what would be too long to compute with. */
export function rational(num: bigint, den: bigint = 1n): Rational | null {
  if (den === 0n) return null;
  const divisor = gcd(num, den) * (den < 0n ? -1n : 1n);
  const reduced = { num: num / divisor, den: den / divisor };
  return bits(reduced.num) > MAX_BITS || bits(reduced.den) > MAX_BITS ? null : reduced;
}

/** Of digits with or without a decimal point. */
export function decimal(text: string): Rational | null {
  const [whole = "", part = ""] = text.split(".");
  return rational(BigInt(whole + part), 10n ** BigInt(part.length));
}

export const plus = (a: Rational, b: Rational): Rational | null =>
  rational(a.num * b.den + b.num * a.den, a.den * b.den);
export const times = (a: Rational, b: Rational): Rational | null => rational(a.num * b.num, a.den * b.den);
export const over = (a: Rational, b: Rational): Rational | null => rational(a.num * b.den, a.den * b.num);

/** To a whole power; null for a root, and for 0 to a power under 0. */
export function power(base: Rational, exponent: Rational): Rational | null {
  if (exponent.den !== 1n) return null;
  const size = exponent.num < 0n ? -exponent.num : exponent.num;
  const longest = Math.max(bits(base.num), bits(base.den));
  if (longest > 1 && size * BigInt(longest - 1) > BigInt(MAX_BITS)) return null;
  // 1, 0 and -1 to any power, however large.
  const times = longest <= 1 ? size % 2n || (size === 0n ? 0n : 2n) : size;
  const [num, den] = [base.num ** times, base.den ** times];
  return exponent.num < 0n ? rational(den, num) : rational(num, den);
}

export function factorial({ num, den }: Rational): Rational | null {
  if (den !== 1n || num < 0n || num > 1000n) return null;
  let product = 1n;
  for (let i = 2n; i <= num; i++) product *= i;
  return rational(product);
}

export function binomial(n: Rational, k: Rational): Rational | null {
  if (n.den !== 1n || k.den !== 1n || n.num < 0n || k.num < 0n || n.num > 10_000n) return null;
  if (k.num > n.num) return rational(0n);
  let product = 1n;
  for (let i = 1n; i <= k.num; i++) product = (product * (n.num - k.num + i)) / i;
  return rational(product);
}

export function toNumber({ num, den }: Rational): number {
  const [a, b] = [Number(num), Number(den)];
  if (Number.isFinite(a) && Number.isFinite(b)) return a / b;
  // Both are longer than a double: take as much off each.
  const shift = BigInt(Math.max(0, Math.max(bits(num), bits(den)) - 1000));
  return Number(num >> shift) / Number(den >> shift);
}

function bits(n: bigint): number {
  return (n < 0n ? -n : n).toString(16).length * 4;
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}

/** A complex number. Real ones have `im` 0; what does not exist is NaN. */
export interface Complex {
  readonly re: number;
  readonly im: number;
}

export const real = (re: number): Complex => ({ re, im: 0 });
export const add = (a: Complex, b: Complex): Complex => ({ re: a.re + b.re, im: a.im + b.im });
export const subtract = (a: Complex, b: Complex): Complex => ({ re: a.re - b.re, im: a.im - b.im });
export const multiply = (a: Complex, b: Complex): Complex => ({
  re: a.re * b.re - a.im * b.im,
  im: a.re * b.im + a.im * b.re,
});

export function divide(a: Complex, b: Complex): Complex {
  const size = b.re * b.re + b.im * b.im;
  if (size === 0) return real(Number.NaN);
  return { re: (a.re * b.re + a.im * b.im) / size, im: (a.im * b.re - a.re * b.im) / size };
}

export const modulus = ({ re, im }: Complex): number => Math.hypot(re, im);
export const exponential = ({ re, im }: Complex): Complex => ({
  re: Math.exp(re) * Math.cos(im),
  im: im === 0 ? 0 : Math.exp(re) * Math.sin(im),
});

/** The principal logarithm; NaN at 0. */
export function logarithm(z: Complex): Complex {
  const size = modulus(z);
  return size === 0 ? real(Number.NaN) : { re: Math.log(size), im: Math.atan2(z.im, z.re) };
}

/**
 * The principal power; but of a real base below 0 and an exponent that is a fraction with an odd denominator, the real
 * root, as people write it: (-8)^(1/3) is -2. 0^0 is 1, as in polynomials.
 */
export function raise(base: Complex, exponent: Complex): Complex {
  if (base.im === 0 && exponent.im === 0) {
    const plain = base.re ** exponent.re;
    if (!Number.isNaN(plain)) return real(plain);
    const root = 1 / exponent.re;
    if (Number.isInteger(root) && root % 2 !== 0) return real(-((-base.re) ** exponent.re));
  }
  if (base.re === 0 && base.im === 0) return real(exponent.re > 0 ? 0 : Number.NaN);
  return exponential(multiply(exponent, logarithm(base)));
}

const I: Complex = { re: 0, im: 1 };

export function sine(z: Complex): Complex {
  return { re: Math.sin(z.re) * Math.cosh(z.im), im: z.im === 0 ? 0 : Math.cos(z.re) * Math.sinh(z.im) };
}

export function cosine(z: Complex): Complex {
  return { re: Math.cos(z.re) * Math.cosh(z.im), im: z.im === 0 ? 0 : -Math.sin(z.re) * Math.sinh(z.im) };
}

/** Of a real number in its range, and else by its logarithm. */
export function arcsine(z: Complex): Complex {
  if (z.im === 0 && Math.abs(z.re) <= 1) return real(Math.asin(z.re));
  const root = raise(subtract(real(1), multiply(z, z)), real(0.5));
  return multiply({ re: 0, im: -1 }, logarithm(add(multiply(I, z), root)));
}

export function arctangent(z: Complex): Complex {
  if (z.im === 0) return real(Math.atan(z.re));
  const ratio = divide(add(I, z), subtract(I, z));
  return multiply({ re: 0, im: 0.5 }, logarithm(multiply(real(-1), ratio)));
}

import {
  add,
  arcsine,
  arctangent,
  type Complex,
  cosine,
  divide,
  exponential,
  logarithm,
  modulus,
  multiply,
  raise,
  real,
  sine,
  subtract,
} from "./complex.ts";
import { exactValue } from "./exact-value.ts";
import type { MathNode } from "./node.ts";
import { toNumber } from "./rational.ts";

/** Where an expression is read off. */
export interface Point {
  /** The value of a variable. */
  valueOf: (name: string) => number;
  /** The base of a logarithm that names none. */
  logBase: number;
}

const NONE = real(Number.NaN);
const CONSTANTS: Readonly<Record<"pi" | "e" | "i", Complex>> = {
  pi: real(Math.PI),
  e: real(Math.E),
  i: { re: 0, im: 1 },
};

/** The value of an expression at a point; NaN where it has none, as at a pole, and for what is no expression. */
export function valueAt(node: MathNode, point: Point): Complex {
  switch (node.kind) {
    case "number":
      return real(toNumber(node.value));
    case "constant":
      return CONSTANTS[node.name];
    case "infinity":
      return real(Number.POSITIVE_INFINITY);
    case "variable":
      return real(point.valueOf(node.name));
    case "negative":
      return subtract(real(0), valueAt(node.item, point));
    case "sum":
      return node.items.map((item) => valueAt(item, point)).reduce(add);
    case "product":
      return node.items.map((item) => valueAt(item, point)).reduce(multiply);
    case "quotient":
      return divide(valueAt(node.above, point), valueAt(node.below, point));
    case "power":
      return powerAt(node.base, node.exponent, point);
    case "call":
      return callAt(
        node.name,
        node.items.map((item) => valueAt(item, point)),
        point,
      );
    default:
      return NONE;
  }
}

/** Exponents that are fractions keep their denominator, which tells a real root from a complex one. */
function powerAt(base: MathNode, exponent: MathNode, point: Point): Complex {
  const at = valueAt(base, point);
  const exact = exactValue(exponent);
  if (exact !== null && exact.den % 2n === 1n && exact.den > 1n && at.im === 0 && at.re < 0) {
    const size = (-at.re) ** toNumber(exact);
    return real(exact.num % 2n === 0n ? size : -size);
  }
  return raise(at, valueAt(exponent, point));
}

type Rule = (items: readonly Complex[], point: Point) => Complex;

const one =
  (rule: (z: Complex) => Complex): Rule =>
  ([z]) =>
    rule(z!);
const realOnly =
  (rule: (x: number) => number): Rule =>
  ([z]) =>
    z!.im === 0 ? real(rule(z!.re)) : NONE;
const inverse =
  (rule: (z: Complex) => Complex): Rule =>
  ([z]) =>
    divide(real(1), rule(z!));
const tangent = (z: Complex): Complex => divide(sine(z), cosine(z));
const halved = (z: Complex, sign: 1 | -1): Complex =>
  multiply(real(0.5), add(exponential(z), multiply(real(sign), exponential(subtract(real(0), z)))));

const RULES: Readonly<Record<string, Rule>> = {
  sin: one(sine),
  cos: one(cosine),
  tan: one(tangent),
  csc: inverse(sine),
  sec: inverse(cosine),
  cot: ([z]) => divide(cosine(z!), sine(z!)),
  sinh: one((z) => halved(z, -1)),
  cosh: one((z) => halved(z, 1)),
  tanh: one((z) => divide(halved(z, -1), halved(z, 1))),
  arcsin: one(arcsine),
  arccos: one((z) => subtract(real(Math.PI / 2), arcsine(z))),
  arctan: one(arctangent),
  exp: one(exponential),
  ln: one(logarithm),
  log: ([z, base], { logBase }) => divide(logarithm(z!), logarithm(base ?? real(logBase))),
  sqrt: one((z) => raise(z, real(0.5))),
  cbrt: one((z) => raise(z, real(1 / 3))),
  root: ([z, degree]) => raise(z!, divide(real(1), degree!)),
  abs: one((z) => real(modulus(z))),
  floor: realOnly(Math.floor),
  ceil: realOnly(Math.ceil),
  factorial: realOnly(factorialOf),
  binom: ([n, k]) =>
    n!.im === 0 && k!.im === 0 ? real(factorialOf(n!.re) / (factorialOf(k!.re) * factorialOf(n!.re - k!.re))) : NONE,
};

function callAt(name: string, items: readonly Complex[], point: Point): Complex {
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  return rule === undefined ? NONE : rule(items, point);
}

/** By the gamma function (Lanczos 1964, g = 7), so that (n + 1)! and (n + 1) n! agree at points between. */
function factorialOf(n: number): number {
  if (n < 0 && Number.isInteger(n)) return Number.NaN;
  if (n < -0.5) return Math.PI / (Math.sin(-Math.PI * n) * factorialOf(-n - 1));
  const terms = LANCZOS.reduce((sum, c, i) => sum + (i === 0 ? c : c / (n + i)), 0);
  const t = n + 7.5;
  return Math.sqrt(2 * Math.PI) * t ** (n + 0.5) * Math.exp(-t) * terms;
}

const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

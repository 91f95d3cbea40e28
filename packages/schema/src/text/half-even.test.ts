import fc from "fast-check";
import { expect, test } from "vitest";
import { SchemaError } from "../schema-error.ts";
import { fixedHalfEven, roundHalfEven } from "./half-even.ts";

test.each([
  // x, digits, as CPython's round(x, digits) answers
  [1 / 32, 4, 0.0312],
  [3 / 32, 4, 0.0938],
  [5 / 32, 4, 0.1562],
  [0.5, 0, 0],
  [1.5, 0, 2],
  [-2.5, 0, -2],
  [2.675, 2, 2.67],
  [0.1 + 0.2, 16, 0.3],
  [1e22, 2, 1e22],
  [5e-324, 100, 0],
])("roundHalfEven(%d, %i) is %d", (x, digits, expected) => {
  expect(roundHalfEven(x, digits)).toBe(expected);
});

test.each([
  // x, digits, as CPython's f"{x:.nf}" prints, but for the sign of zero
  [0.03125, 4, "0.0312"],
  [-0.0004, 3, "0.000"],
  [-0, 1, "0.0"],
  [-0.0625, 3, "-0.062"],
  [1e21, 1, "1000000000000000000000.0"],
  [9.5, 0, "10"],
])("fixedHalfEven(%d, %i) is %s", (x, digits, expected) => {
  expect(fixedHalfEven(x, digits)).toBe(expected);
});

test("a result of zero is never -0: it would print a sign that no count has", () => {
  expect(Object.is(roundHalfEven(-0.001, 2), 0)).toBe(true);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])("%d is refused: a rounded NaN would reach a page", (x) => {
  expect(() => roundHalfEven(x, 2)).toThrow(SchemaError);
});

test.each([-1, 1.5, 101])("%d digits are refused", (digits) => {
  expect(() => roundHalfEven(0.5, digits)).toThrow("digits");
});

/** The exact value of a double as a fraction with a power of two below. */
function exact(x: number): { top: bigint; bottom: bigint } {
  let [top, bottom] = [x, 1n];
  while (!Number.isInteger(top)) {
    top *= 2;
    bottom *= 2n;
  }
  return { top: BigInt(top), bottom };
}

/** Half to even in exact arithmetic: the slow way that leaves no doubt. */
function roundedExactly(x: number, digits: number): string {
  const { top, bottom } = exact(Math.abs(x));
  const scaled = top * 10n ** BigInt(digits);
  let whole = scaled / bottom;
  const twiceRest = 2n * (scaled % bottom);
  if (twiceRest > bottom || (twiceRest === bottom && whole % 2n === 1n)) whole++;
  const text = whole.toString().padStart(digits + 1, "0");
  const cut = text.length - digits;
  const sign = x < 0 && whole !== 0n ? "-" : "";
  return sign + (digits === 0 ? text : `${text.slice(0, cut)}.${text.slice(cut)}`);
}

const doubles = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e25, max: 1e25 }),
  fc.double({ noNaN: true, min: 0, max: 1 }),
  // Ties, which a random double never hits.
  fc.tuple(fc.integer(), fc.integer({ min: 0, max: 12 })).map(([k, halvings]) => k / 2 ** halvings),
);

test("every double is rounded as exact arithmetic rounds it", () => {
  fc.assert(
    fc.property(doubles, fc.nat(12), (x, digits) => {
      expect(fixedHalfEven(x, digits)).toBe(roundedExactly(x, digits));
    }),
    { numRuns: 2000 },
  );
});

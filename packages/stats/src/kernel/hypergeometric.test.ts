import fc from "fast-check";
import { expect, test } from "vitest";
import { hypergeometricPmf, hypergeometricRange } from "./hypergeometric.ts";
import { sum } from "./sum.ts";

// Exact rationals of Python's math.comb, rounded once.
test.each([
  // k, draws, marked, others, expected
  [8, 10, 9, 7, 0.0236013986013986],
  [0, 10, 9, 7, 0],
  [50, 100, 500, 500, 0.08389209209281304],
  [300, 300, 3000, 7000, 2.419283125402445e-162],
  [12, 40, 1200, 100_000, 2.936735603833679e-14],
])("hypergeometricPmf(%i, %i, %i, %i)", (k, draws, marked, others, expected) => {
  const value = hypergeometricPmf(k, draws, marked, others);
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-12 * expected);
});

const urns = fc
  .tuple(fc.nat(60), fc.nat(60))
  .chain(([marked, others]) => fc.tuple(fc.nat(marked + others), fc.constant(marked), fc.constant(others)));

test("the chances add up to 1, and draws and marks may change places", () => {
  fc.assert(
    fc.property(urns, ([draws, marked, others]) => {
      const [first, last] = hypergeometricRange(draws, marked, others);
      const pmf = Array.from({ length: last - first + 1 }, (_, i) =>
        hypergeometricPmf(first + i, draws, marked, others),
      );
      expect(sum(pmf)).toBeCloseTo(1, 12);
      const k = first + Math.floor((last - first) / 2);
      const swapped = hypergeometricPmf(k, marked, draws, marked + others - draws);
      expect(hypergeometricPmf(k, draws, marked, others)).toBeCloseTo(swapped, 12);
    }),
  );
});

test("more draws than there are, and counts that are none, are refused", () => {
  expect(() => hypergeometricPmf(1, 5, 2, 2)).toThrow("1 marked of 5 draws from 2 marked and 2 others");
  expect(() => hypergeometricPmf(0.5, 1, 1, 1)).toThrow("whole numbers");
});

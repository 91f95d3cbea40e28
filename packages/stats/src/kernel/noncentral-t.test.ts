import fc from "fast-check";
import { expect, test } from "vitest";
import { noncentralTCdf } from "./noncentral-t.ts";
import { tCdf } from "./student-t.ts";

test.each([
  // t, df, shift, chance: Simpson integration of the normal chance over the spread, 200,000 steps
  [2.0096, 49, 2.8, 0.21629894938335],
  [2.7764, 4, 3, 0.38073028330733],
  [12.706, 1, 5, 0.69483525933059],
  [0, 10, 1.5, 0.06680720126885],
  [1.98, 120, -2.5, 0.99999550728252],
  [2.04, 30, 12, 3.3453721378628e-22],
  [30, 30, 30, 0.4672569020077],
])("noncentralTCdf(%d, %d, %d)", (t, df, shift, expected) => {
  expect(noncentralTCdf(t, df, shift)).toBeCloseTo(expected, 10);
});

test("without a shift it is Student's t", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 50, noNaN: true }), fc.integer({ min: 1, max: 200 }), (t, df) => {
      expect(noncentralTCdf(t, df, 0)).toBeCloseTo(tCdf(t, df), 12);
    }),
  );
});

test("it is a chance, and falls as the shift grows", () => {
  const shift = fc.double({ min: -30, max: 30, noNaN: true });
  fc.assert(
    fc.property(fc.double({ min: 0, max: 20, noNaN: true }), fc.integer({ min: 1, max: 100 }), shift, (t, df, at) => {
      const chance = noncentralTCdf(t, df, at);
      expect(chance >= 0 && chance <= 1).toBe(true);
      expect(noncentralTCdf(t, df, at + 1)).toBeLessThanOrEqual(chance + 1e-12);
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { chiSquareUpperTail } from "./chi-square.ts";
import { logGamma } from "./log-gamma.ts";
import { normalCdf } from "./normal.ts";

const xs = fc.double({ min: 1e-3, max: 200, noNaN: true });

// mpmath at 40 digits.
test.each([
  // x, df, upper tail
  [3.841458820694124, 1, 0.05000000000000006],
  [12.076212471131637, 2, 0.0023860732984269067],
  [0.5, 7, 0.9994464813904249],
  [40, 5, 1.4933679000503952e-7],
  [300, 10, 1.5546747543803181e-58],
  [95, 100, 0.6225792918781735],
  [0.01, 1, 0.920344325445942],
])("chiSquareUpperTail(%d, %d)", (x, df, expected) => {
  expect(Math.abs(chiSquareUpperTail(x, df) / expected - 1)).toBeLessThan(1e-12);
});

test("two degrees are an exponential, one is a squared normal", () => {
  fc.assert(
    fc.property(xs, (x) => {
      expect(chiSquareUpperTail(x, 2) / Math.exp(-x / 2)).toBeCloseTo(1, 11);
      expect(chiSquareUpperTail(x, 1) / (2 * normalCdf(-Math.sqrt(x)))).toBeCloseTo(1, 11);
    }),
  );
});

test("two more degrees add (x/2)^(df/2) e^(-x/2) / Γ(df/2 + 1)", () => {
  fc.assert(
    fc.property(xs, fc.integer({ min: 1, max: 60 }), (x, df) => {
      const step = Math.exp((df / 2) * Math.log(x / 2) - x / 2 - logGamma(df / 2 + 1));
      expect(chiSquareUpperTail(x, df + 2)).toBeCloseTo(chiSquareUpperTail(x, df) + step, 12);
    }),
  );
});

test("the ends, and what is no chi-square", () => {
  expect(chiSquareUpperTail(0, 3)).toBe(1);
  expect(() => chiSquareUpperTail(-1, 3)).toThrow("Chi-square got -1 on 3");
  expect(() => chiSquareUpperTail(1, 0)).toThrow("on 0 degrees");
});

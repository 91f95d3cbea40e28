import { expect, test } from "vitest";
import { logGamma, stirlingError } from "./log-gamma.ts";

// mpmath at 50 digits.
test.each([
  [0.001, 6.907178885383853],
  [0.5, 0.5723649429247001],
  [1, 0],
  [1.5, -0.12078223763524522],
  [14.9, 24.924132002217277],
  [15, 25.19122118273868],
  [1e6, 12815504.569147611],
  [1e9, 19723265827.503716],
])("logGamma(%d)", (x, expected) => {
  expect(Math.abs(logGamma(x) - expected)).toBeLessThan(1e-14 + 1e-14 * Math.abs(expected));
});

test("Stirling's formula misses about 1/12x", () => {
  expect(stirlingError(1)).toBeCloseTo(1 - 0.5 * Math.log(2 * Math.PI), 14);
  expect(stirlingError(100)).toBeCloseTo(1 / 1200 - 1 / 360e6, 12);
});

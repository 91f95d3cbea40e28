import { expect, test } from "vitest";
import { bisect } from "./bisect.ts";

test("the answer is the last double before the value is passed, or the one after", () => {
  const root = bisect((x) => x * x, 2, 0, 2);
  expect(Math.abs(root - Math.SQRT2)).toBeLessThanOrEqual(2 ** -52);
});

test("an answer near zero is found to the last bit too", () => {
  expect(bisect((x) => x * 1e30, 1, 0, 1)).toBeCloseTo(1e-30, 45);
});

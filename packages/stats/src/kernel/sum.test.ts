import { expect, test } from "vitest";
import { mean, sum } from "./sum.ts";

test.each([
  [[], 0],
  [[1, 1e100, 1, -1e100], 2],
  [Array(10).fill(0.1), 1],
])("sum(%j) is %d", (values, expected) => {
  expect(sum(values)).toBe(expected);
});

test("ten values of 0.9 have the mean 0.9, which a running sum misses", () => {
  expect(mean(Array(10).fill(0.9))).toBe(0.9);
});

test("nothing has no mean", () => {
  expect(mean([])).toBeNull();
});

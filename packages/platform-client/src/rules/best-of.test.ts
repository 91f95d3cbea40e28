import { expect, test } from "vitest";
import { bestOf } from "./best-of.ts";

// Expected largest order statistic of a normal sample: closed forms up to 3 (1/√π, 3/(2√π)), Harter 1961 beyond.
test.each([
  [0, 0],
  [1, 0],
  [2, 0.5641896],
  [3, 0.8462844],
  [5, 1.1629645],
  [10, 1.5387527],
  [20, 1.8674751],
  [100, 2.5075936],
])("the best of %i lies %d standard deviations above them", (k, expected) => {
  expect(bestOf(k)).toBeCloseTo(expected, 6);
});

import { expect, test } from "vitest";
import { areaPath, curvePath, gapsOf, lastOf, smoothed } from "./curve-path.ts";
import { logScaleOf, scaleOf } from "./scale.ts";

const x = scaleOf([0, 10], [0, 100]);
const y = scaleOf([0, 1], [100, 0]);

test.each([
  ["every step", [0, 1, 2, 3], [1, 1, 1, 1], []],
  ["one step missing", [0, 1, 2, 4, 5], [1, 1, 1, 1, 1], [{ from: 2, to: 4 }]],
  ["a null", [0, 1, 2, 3, 4], [1, 1, null, 1, 1], [{ from: 1, to: 3 }]],
  ["every twentieth of many", [0, 10, 20, 30, 40], [1, null, 1, null, 1], []],
  ["too few to have a pace", [0, 9], [1, 1], []],
  ["none", [], [], []],
])("gapsOf: %s", (_, steps, values, gaps) => expect(gapsOf(steps, values)).toEqual(gaps));

test("extremes of a thinned curve lie close and far, and only what is far beyond them is a gap", () => {
  const steps = Array.from({ length: 100 }, (_, place) => 1000 * Math.floor(place / 2) + (place % 2) * 900);
  const values = steps.map(() => 1);
  expect(gapsOf(steps, values, { thinned: true })).toEqual([]);
  expect(gapsOf([...steps, 60_000, 60_900], [...values, 1, 1], { thinned: true })).toEqual([
    { from: 49_900, to: 60_000 },
  ]);
});

test("a path stops at a gap and joins what is logged more rarely", () => {
  const steps = [0, 1, 2, 3, 4];
  expect(curvePath(steps, [0, null, 1, null, 0], { x, y })).toBe("M0 100L20 0L40 100");
  expect(curvePath(steps, [0, 1, null, 1, 0], { x, y, gaps: gapsOf(steps, [0, 1, null, 1, 0]) })).toBe(
    "M0 100L10 0M30 0L40 100",
  );
});

test("step 0 has no place on a logarithmic scale", () => {
  const log = logScaleOf([1, 100], [0, 100]);
  expect(curvePath([0, 1, 10, 100], [0, 0, 0, 0], { x: log, y })).toBe("M0 100L50 100L100 100");
});

test("an area lies between two series, over the steps that both have", () => {
  expect(areaPath([0, 5, 10], [1, 1, null], [0, 0, 0], { x, y })).toBe("M0 0L50 0L50 100L0 100Z");
  expect(areaPath([0], [1], [0], { x, y })).toBe("");
});

test("step 0 has no place in an area of a logarithmic scale", () => {
  const log = logScaleOf([1, 100], [0, 100]);
  expect(areaPath([0, 1, 100], [1, 1, 1], [0, 0, 0], { x: log, y })).toBe("M0 0L100 0L100 100L0 100Z");
});

test.each([
  [
    [2, 2, 2],
    [2, 2, 2],
  ],
  [
    [0, null, 3],
    [0, null, 2],
  ],
  [[null], [null]],
])("smoothed(%j) by half is %j", (values, smooth) => expect(smoothed(values, 0.5)).toEqual(smooth));

test("the last value is the last that is one", () => {
  expect(lastOf([1, 2, 3], [4, 5, null])).toEqual({ step: 2, value: 5 });
  expect(lastOf([1], [null])).toBeNull();
});

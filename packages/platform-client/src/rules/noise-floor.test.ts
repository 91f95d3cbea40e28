import type { Row } from "@while/schema";
import { evalVariance } from "@while/stats";
import { expect, test } from "vitest";
import { noiseFloorOf } from "./noise-floor.ts";

/** One task, as many rollouts as make the mean exact. */
const runsOf = (means: readonly number[]): Row[][] =>
  means.map((mean) =>
    Array.from({ length: 1000 }, (_, i) => ({ task_id: `${i}`, reward: i < Math.round(mean * 1000) ? 1 : 0 })),
  );

const floorOf = (means: readonly number[]) => noiseFloorOf("b", evalVariance(runsOf(means)));

test.each([
  [[0.5, 0.525, 0.475], 0.025, 4.3, 15.21],
  [[0.891, 0.906], 0.0106, 12.71, 19.06],
  [[0.5, 0.525], 0.0177, 12.71, 31.77],
  [[0.62, 0.64, 0.6, 0.63], 0.0171, 3.18, 7.69],
  [[0.7, 0.7, 0.7], 0, 4.3, 0],
])("re-runs at %j: spread %d, t %d, floor %d points", (means, runStd, t, noiseFloor) => {
  expect(floorOf(means)).toMatchObject({ runStd, t, noiseFloor, runs: means.length });
});

test("two re-runs are a difference and no distribution, which a note says", () => {
  expect(floorOf([0.5, 0.6]).notes).toHaveLength(1);
  expect(floorOf([0.5, 0.6, 0.5]).notes).toEqual([]);
});

test("one re-run with scores is refused with both counts", () => {
  const lists = [...runsOf([0.5]), [{ task_id: "t", reward: null }]];
  expect(() => noiseFloorOf("b", evalVariance(lists))).toThrow("1 of 2 re-runs have scores.");
});

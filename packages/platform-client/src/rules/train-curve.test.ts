import { expect, test } from "vitest";
import type { TrainPoint } from "../contract/points.ts";
import { trainCurve } from "./train-curve.ts";

const curveOf = (points: TrainPoint[], options = {}) => trainCurve({ id: "run_1" }, points, options);

test("points out of order, repeated and not finite: each step once, in order, and gaps where there is no number", () => {
  const calls: TrainPoint[][] = [
    [
      { step: 1, loss: 2 },
      { step: 2, loss: 1.5 },
    ],
    [
      { step: 2, loss: 1.5 },
      { step: 3, loss: null },
      { step: 4, loss: 1.2, kl: Number.POSITIVE_INFINITY },
    ],
    [
      { step: 10, loss: 0.9 },
      { step: 8, loss: 1 },
    ],
    [
      { step: 10, loss: 0.9 },
      { step: 8, loss: 1 },
    ],
  ];
  const curve = curveOf(calls.flat());
  expect(curve.steps).toEqual([1, 2, 3, 4, 8, 10]);
  expect(curve.loss).toEqual([2, 1.5, null, 1.2, 1, 0.9]);
  expect(curve.kl).toEqual([null, null, null, null, null, null]);
});

test("a spike of one step among 100,000 is there when the curve is thinned, and the thinning is the same each time", () => {
  const points = Array.from({ length: 100_000 }, (_, step) => ({
    step,
    loss: step === 54_321 ? 50 : Math.sin(step / 999),
  }));
  const curve = curveOf(points);
  expect(curve.totalPoints).toBe(100_000);
  expect(curve.steps.length).toBeLessThanOrEqual(2000);
  expect(curve.steps).toContain(54_321);
  expect(Math.max(...(curve.loss as number[]))).toBe(50);
  expect([curve.steps[0], curve.steps.at(-1)]).toEqual([0, 99_999]);
  expect(curveOf(points).steps).toEqual(curve.steps);
});

test("known names have a place of their own in either spelling, others go by the sender's", () => {
  const curve = curveOf([{ step: 0, reward: 0.1, completion_length: 180, clipRatio: 0.2, proxy_reward: 0.3 }]);
  expect([curve.reward, curve.completionLength, curve.clipRatio]).toEqual([[0.1], [180], [0.2]]);
  expect(curve.series).toEqual({ proxy_reward: [0.3] });
});

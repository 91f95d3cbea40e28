import { expect, test } from "vitest";
import type { TrainPoint } from "../contract/points.ts";
import { curveOfColumns, trainCurve } from "./train-curve.ts";

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

test("on a logarithmic axis the beginning is shown as finely as the end", () => {
  const points = Array.from({ length: 100_000 }, (_, step) => ({ step, loss: step === 3 ? 9 : 1 / (step + 1) }));
  const below = (steps: readonly number[]) => steps.filter((step) => step < 100).length;
  const [linear, log] = [curveOf(points), trainCurve({ id: "r" }, points, { scale: "log" })];
  expect(below(linear.steps)).toBeLessThan(10);
  expect(below(log.steps)).toBeGreaterThan(90);
  expect(log.steps.length).toBeLessThanOrEqual(2000);
  expect(Math.max(...(log.loss as number[]))).toBe(9);
  expect(log.steps).toEqual([...new Set(log.steps)].sort((a, b) => a - b));
});

test("columns say what points say", () => {
  const points = Array.from({ length: 5000 }, (_, i) => ({
    step: 2 * i,
    loss: Math.sin(i),
    ...(i % 3 ? {} : { kl: i }),
  }));
  const columns = {
    steps: Float64Array.from(points, ({ step }) => step),
    series: new Map([
      ["loss", Float64Array.from(points, ({ loss }) => loss)],
      ["kl", Float64Array.from(points, ({ kl }) => kl ?? Number.NaN)],
    ]),
  };
  for (const scale of ["linear", "log"] as const) {
    const options = { maxPoints: 100, scale };
    expect(curveOfColumns({ id: "r" }, columns, options)).toEqual(trainCurve({ id: "r" }, points, options));
  }
});

test("known names have a place of their own in either spelling, others go by the sender's", () => {
  const curve = curveOf([{ step: 0, reward: 0.1, completion_length: 180, clipRatio: 0.2, proxy_reward: 0.3 }]);
  expect([curve.reward, curve.completionLength, curve.clipRatio]).toEqual([[0.1], [180], [0.2]]);
  expect(curve.series).toEqual({ proxy_reward: [0.3] });
});

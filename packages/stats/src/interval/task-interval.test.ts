import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleOf } from "./sample.ts";
import { taskIntervals } from "./task-interval.ts";

const strict = (values: readonly number[]) => taskIntervals([sampleOf(values)], { inference: "strict" })[0]!;
const compat = (values: readonly number[], seed = 0) =>
  taskIntervals([sampleOf(values)], { inference: "compat", seed })[0]!;
const passed = (successes: number, n: number) => Array.from({ length: n }, (_, i) => (i < successes ? 1 : 0));

test.each([
  // On tasks of one rollout all three are Wilson's at z = 1.96.
  [14, 307, "effective_n", 0.02737, 0.07509],
  [0, 50, "score", 0, 0.07135],
  [50, 50, "score", 0.92865, 1],
])("%i of %i tasks passed: no interval of width zero", (successes, n, method, low, high) => {
  const report = strict(passed(successes, n));
  expect(report.method).toBe(method);
  expect(report.ci95![0]).toBeCloseTo(low, 4);
  expect(report.ci95![1]).toBeCloseTo(high, 4);
});

test("a strict interval of rates always has width and always contains the mean", () => {
  const rates = fc.array(
    fc.nat(4).map((c) => c / 4),
    { minLength: 3, maxLength: 30 },
  );
  fc.assert(
    fc.property(rates, (values) => {
      const [low, high] = strict(values).ci95!;
      const mean = values.reduce((a, b) => a + b) / values.length;
      expect(high - low).toBeGreaterThan(0.01);
      expect(low).toBeLessThanOrEqual(mean + 1e-12);
      expect(high).toBeGreaterThanOrEqual(mean - 1e-12);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
    }),
  );
});

test("four tasks at 3 of 4 each: the score interval over four tasks, not the point 0.75", () => {
  const { ci95, method } = strict([0.75, 0.75, 0.75, 0.75]);
  expect(method).toBe("score");
  expect(ci95![0]).toBeCloseTo(0.3006360524, 9);
  expect(ci95![1]).toBeCloseTo(0.9544139373, 9);
  expect(compat([0.75, 0.75, 0.75, 0.75])).toEqual({ ci95: [0.75, 0.75], method: "monte_carlo" });
});

test("a constant outside [0, 1] is no rate: nothing bounds its spread, so no interval", () => {
  expect(strict([120, 120, 120])).toEqual({ ci95: null, method: null });
});

test("under three tasks there is none under either rule", () => {
  expect(strict([0, 1])).toEqual({ ci95: null, method: null });
  expect(compat([0, 1])).toEqual({ ci95: null, method: null });
});

test("columns over the same tasks share their draws and come out as alone", () => {
  const order = Uint32Array.from([0, 1, 2, 1, 0]);
  const counts = [2, 2, 1];
  const columns = [
    { values: [0, 0.5, 1], counts, order },
    { values: [1, 0.25, 0], counts, order },
  ];
  const together = taskIntervals(columns, { inference: "compat", seed: 5 });
  expect(together).toEqual([compat([0, 0.5, 1, 0.5, 0], 5), compat([1, 0.25, 0, 0.25, 1], 5)]);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { taskChanges } from "./task-changes.ts";

test("a bar a value, with an empty one where a step is missing", () => {
  expect(taskChanges([0.25, -0.5, 0, 0, 0.25, -0.25 + 0.25])).toEqual({
    ...{ nBetter: 2, nWorse: 1, nSame: 3 },
    bars: [
      { from: -0.5, to: -0.5, n: 1 },
      { from: -0.25, to: -0.25, n: 0 },
      { from: 0, to: 0, n: 3 },
      { from: 0.25, to: 0.25, n: 2 },
    ],
  });
});

test("thirds are steps too, and what has no common step has a bar a value", () => {
  const thirds = taskChanges([-1 / 3, 0, 2 / 3]).bars;
  expect(thirds.map(({ n }) => n)).toEqual([1, 1, 0, 1]);
  expect(taskChanges([0, 0.1, 0.25]).bars.map(({ from }) => from)).toEqual([0, 0.1, 0.25]);
});

test("no task, and one", () => {
  expect(taskChanges([])).toEqual({ nBetter: 0, nWorse: 0, nSame: 0, bars: [] });
  expect(taskChanges([0.5]).bars).toEqual([{ from: 0.5, to: 0.5, n: 1 }]);
});

test("many values are put together, and no change keeps its own bar", () => {
  const { bars, nSame } = taskChanges([...Array.from({ length: 60 }, (_, i) => (i - 30) / 30), 0, 0]);
  expect(bars).toHaveLength(13);
  expect(bars[6]).toEqual({ from: 0, to: 0, n: 3 });
  expect(nSame).toBe(3);
  expect(bars[0]!.from).toBe(-1);
  expect(bars[5]!.to).toBe(0);
  expect(bars[12]!.to).toBe(1);
});

test("every task is in one bar, on its own side", () => {
  const twelfths = fc.integer({ min: -12, max: 12 }).map((step) => step / 12);
  const change = fc.oneof(twelfths, fc.double({ min: -1, max: 1, noNaN: true }));
  const changes = fc.oneof(fc.array(twelfths, { maxLength: 40 }), fc.array(change, { maxLength: 80 }));
  fc.assert(
    fc.property(changes, (given) => {
      // Nothing is told apart below 1e-9.
      const gains = given.filter((gain) => gain === 0 || Math.abs(gain) > 1e-9);
      const { bars, nBetter, nWorse, nSame } = taskChanges(gains);
      expect(nBetter + nWorse + nSame).toBe(gains.length);
      const count = (side: (bar: { from: number; to: number }) => boolean) =>
        bars.filter(side).reduce((total, { n }) => total + n, 0);
      expect(count(({ to }) => to > 0)).toBe(nBetter);
      expect(count(({ from }) => from < 0)).toBe(nWorse);
      expect(count(({ from, to }) => from === 0 && to === 0)).toBe(nSame);
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { holmAdjust } from "./holm-adjust.ts";
import { maxTSignFlip } from "./max-t-sign-flip.ts";

const SLACK = 1e-12;
const steps = fc.integer({ min: -4, max: 4 }).map((step) => step / 4);
const metrics = fc
  .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 4 }))
  .chain(([nTasks, nMetrics]) =>
    fc.array(fc.array(steps, { minLength: nTasks, maxLength: nTasks }), { minLength: nMetrics, maxLength: nMetrics }),
  );

/** Every arrangement of signs, one by one. */
function byEnumeration(list: readonly number[]): number {
  const observed = Math.abs(list.reduce((a, b) => a + b, 0));
  let reached = 0;
  for (let signs = 0; signs < 2 ** list.length; signs++) {
    const total = list.reduce((sum, value, i) => sum + ((signs >> i) & 1 ? value : -value), 0);
    if (Math.abs(total) >= observed - 1e-9) reached++;
  }
  return reached / 2 ** list.length;
}

test("one metric is the sign-flip test", () => {
  fc.assert(
    fc.property(fc.array(steps, { minLength: 1, maxLength: 9 }), (list) => {
      expect(maxTSignFlip([list]).pValues[0]).toBeCloseTo(byEnumeration(list), 12);
    }),
  );
});

// numpy, all 2^n arrangements by itertools: p and mid-p, single-step; step-down by the definition, metric after metric
const [A, B, C] = [
  [-0.5, -0.25, 0, -0.5, -0.25, 0.25, -0.5, 0, -0.25, 0],
  [-0.25, -0.25, -0.25, -0.5, 0, 0.25, -0.5, 0, -0.25, -0.25],
  [0.25, 0, -0.25, 0.25, 0, 0, -0.25, 0.25, 0, -0.25],
];
test.each<[string, number[][], "single" | "down", number[], number[]]>([
  ["three metrics", [A, B, C], "single", [0.12890625, 0.08984375, 1], [0.109375, 0.0703125, 0.98828125]],
  ["the two that fall", [A, B], "single", [0.09765625, 0.05859375], [0.078125, 0.0390625]],
  ["the two step by step", [A, B], "down", [0.078125, 0.05859375], [0.046875, 0.0390625]],
  ["one", [C], "down", [1], [0.84375]],
])("%s, %#", (_, diffs, steps, pValues, midPs) => {
  const report = maxTSignFlip(diffs, { steps });
  for (const [i, p] of pValues.entries()) expect(report.pValues[i]).toBeCloseTo(p, 12);
  for (const [i, p] of midPs.entries()) expect(report.midPs[i]).toBeCloseTo(p, 12);
});

test("step by step no p-value is larger, and none is smaller than alone", () => {
  fc.assert(
    fc.property(metrics, (diffs) => {
      const [single, down] = [maxTSignFlip(diffs), maxTSignFlip(diffs, { steps: "down" })];
      for (const [i, list] of diffs.entries()) {
        expect(down.pValues[i]).toBeLessThanOrEqual(single.pValues[i]! + SLACK);
        expect(down.pValues[i]).toBeGreaterThanOrEqual(maxTSignFlip([list]).pValues[0]! - SLACK);
        expect(down.midPs[i]).toBeLessThanOrEqual(down.pValues[i]!);
      }
    }),
  );
  expect(() => maxTSignFlip([[1]], { steps: "up" as never })).toThrow(/steps is "up"/);
});

test("more metrics never lower a p-value, and a copy costs nothing where Holm doubles", () => {
  fc.assert(
    fc.property(metrics, (diffs) => {
      const { pValues } = maxTSignFlip(diffs);
      for (const [i, list] of diffs.entries()) {
        expect(pValues[i]).toBeGreaterThanOrEqual(maxTSignFlip([list]).pValues[0]! - SLACK);
      }
      const twice = maxTSignFlip([...diffs, ...diffs]).pValues;
      expect(twice).toEqual([...pValues, ...pValues]);
    }),
  );
  const rise = [0.5, 0.25, 0.25, 0.5, 0.75, 0.25, 0.5, 0.25];
  expect(maxTSignFlip([rise, rise]).pValues).toEqual([2 / 256, 2 / 256]);
  expect(holmAdjust([2 / 256, 2 / 256])).toEqual([4 / 256, 4 / 256]);
});

test("units and direction do not matter", () => {
  fc.assert(
    fc.property(metrics, fc.double({ min: 1e-3, max: 1e3, noNaN: true }), (diffs, unit) => {
      const other = diffs.map((list, i) => list.map((value) => (i === 0 ? -unit * value : value)));
      const { pValues } = maxTSignFlip(other);
      for (const [i, p] of maxTSignFlip(diffs).pValues.entries()) expect(pValues[i]).toBeCloseTo(p, 12);
    }),
  );
});

test("over twenty tasks arrangements are drawn, the same for the same seed", () => {
  const twenty = [0, 1].map((metric) => Array.from({ length: 20 }, (_, i) => ((i * (7 - 4 * metric)) % 5) / 4 - 0.4));
  const exact = maxTSignFlip(twenty);
  expect(exact).toMatchObject({ method: "exact", nArrangements: 2 ** 19 });
  // A task that did not change moves nothing, and takes the test over the line.
  const more = twenty.map((list) => [...list, 0]);
  const drawn = maxTSignFlip(more, { seed: 4 });
  expect(drawn).toMatchObject({ method: "monte_carlo", nArrangements: 2000 });
  expect(maxTSignFlip(more, { seed: 4 })).toEqual(drawn);
  for (const [i, p] of exact.pValues.entries()) {
    expect(Math.abs(drawn.pValues[i]! - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / 2000) + 1e-3);
  }
});

test("thirty tasks that all rise: no draw reaches them, and the p-value is still above 0", () => {
  expect(maxTSignFlip([new Array<number>(30).fill(0.5)]).pValues).toEqual([1 / 2001]);
});

test("a metric that never moves has p 1, and no metric or no task has no p below it", () => {
  expect(maxTSignFlip([[0, 0, 0]]).pValues).toEqual([1]);
  expect(maxTSignFlip([])).toEqual({ pValues: [], midPs: [], method: "exact", nArrangements: 1 });
  expect(maxTSignFlip([[]]).pValues).toEqual([1]);
});

test("metrics over different tasks are refused", () => {
  expect(() => maxTSignFlip([[1, 0], [1]])).toThrow("metrics over 2 and 1 tasks");
  expect(() => maxTSignFlip([[1, Number.NaN]])).toThrow("the difference NaN");
});

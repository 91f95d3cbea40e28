import type { Row } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { detectableEffectClosed } from "./detectable-effect.ts";
import { formatResolvableEffect } from "./format-resolvable-effect.ts";
import { holdoutSize } from "./holdout-size.ts";
import { resolvableEffect } from "./resolvable-effect.ts";

const rows = (rates: readonly number[]): Row[] =>
  rates.flatMap((rate, i) => [0, 1, 2, 3].map((j) => ({ task_id: `${i}`, reward: Number(j < 4 * rate) })));

const BEFORE = rows([0.5, 0.5, 0.5, 0.5, 0.25, 0.75, 0.25, 0.75, 0.5, 0.5]);
const AFTER = rows([0.75, 0.5, 0.75, 0.5, 0.5, 0.75, 0.25, 1, 0.5, 0.75]);

test("a set sized for a gain shows that gain, and one task fewer does not", () => {
  const bases = fc.double({ min: 0.05, max: 0.85, noNaN: true });
  fc.assert(
    fc.property(
      bases,
      fc.double({ min: 0.03, max: 0.14, noNaN: true }),
      fc.integer({ min: 1, max: 16 }),
      (base, effect, k) => {
        const { nTasks } = holdoutSize(effect, { base, k });
        expect(resolvableEffect(nTasks, { base, k }).effect!).toBeLessThanOrEqual(effect + 1e-6);
        if (nTasks > 2) expect(resolvableEffect(nTasks - 1, { base, k }).effect ?? 1).toBeGreaterThan(effect - 1e-6);
      },
    ),
    { numRuns: 20 },
  );
});

test.each([
  // The closed form of the normal test, which takes the spread for known, is met from above.
  [54, 0, 4],
  [140, 0.6, 4],
  [1_000_000, 0.6, 4],
  [1_000_000_000_000, 0.6, 4],
])("%i tasks at base %f: a little more than the closed form", (nTasks, base, k) => {
  const closed = detectableEffectClosed(nTasks, { base, k })!;
  const { effect } = resolvableEffect(nTasks, { base, k });
  expect(effect!).toBeGreaterThan(closed - 2e-9);
  expect(effect!).toBeLessThan(closed * 1.05 + 2e-9);
});

test("rows of both arms: by the spread measured, whatever the gain", () => {
  const report = resolvableEffect(16, { before: BEFORE, after: AFTER });
  expect(report).toMatchObject({ sdSource: "rows", nPaired: 10, k: 4, base: 0.5, saturated: false });
  expect(holdoutSize(report.effect!, { before: BEFORE, after: AFTER }).nTasks).toBe(16);
});

test("a base of 1 is saturated, as for holdoutSize; a gain beyond the room is none", () => {
  expect(resolvableEffect(50, { base: 1 })).toMatchObject({ saturated: true, base: 1 });
  expect(resolvableEffect(2, { base: 0.9 })).toMatchObject({ effect: null, taskStd: null, saturated: false });
});

test("the printed block", () => {
  expect(formatResolvableEffect(resolvableEffect(140))).toBe(
    [
      "140 tasks show a gain of 8.1% or more (power 80%, alpha 0.05)",
      "  base 0.60, 4 rollouts a task; a task's difference has std 0.338, modelled",
    ].join("\n"),
  );
  expect(formatResolvableEffect(resolvableEffect(2, { base: 0.9 }))).toBe(
    [
      "2 tasks show no gain that fits above a base of 0.90 (power 80%, alpha 0.05): take more tasks, or harder ones",
      "  base 0.90, 4 rollouts a task",
    ].join("\n"),
  );
});

test.each([1, 2.5, Number.NaN])("%f tasks are refused", (nTasks) => {
  expect(() => resolvableEffect(nTasks)).toThrow(`The number of tasks is ${nTasks}.`);
});

import { expect, test } from "vitest";
import { defaultK, kWays } from "./k-way.ts";
import type { Outcomes } from "./outcome-table.ts";

/** Tasks by outcome, in task order: 3 of 3, 1 of 2, 2 of 5, 2 of 2, 2 of 5. */
const OUTCOMES: Outcomes = {
  atoms: [
    { n: 3, c: 3, count: 1 },
    { n: 2, c: 1, count: 1 },
    { n: 5, c: 2, count: 2 },
    { n: 2, c: 2, count: 1 },
  ],
  order: Uint32Array.of(0, 1, 2, 3, 2),
};

test.each([
  // k, order of the tasks by atom: those with k rollouts, then those that stand in
  [2, [0, 1, 2, 3, 2]],
  [3, [0, 2, 2, 3]],
  [4, [2, 2, 0, 3]],
  [6, [0, 3]],
])("at k = %i", (k, order) => {
  // One call after another, since they share what they can.
  const kWayAt = kWays(OUTCOMES, true);
  for (let before = 1; before < k; before++) kWayAt(before);
  expect([...kWayAt(k).passAtK.order]).toEqual(order);
  expect(kWayAt(k).passPowK.order).toBe(kWayAt(k).passAtK.order);
});

test("without unanimousShort only tasks with k rollouts take part", () => {
  const { passPowK, nEligible, nImputed } = kWays(OUTCOMES, false)(4);
  expect([...passPowK.order]).toEqual([2, 2]);
  expect(passPowK.counts).toEqual([0, 0, 2, 0]);
  expect({ nEligible, nImputed }).toEqual({ nEligible: 2, nImputed: 0 });
});

test("k is the smallest group of two or more, 1 without any", () => {
  expect(defaultK(OUTCOMES)).toBe(2);
  expect(defaultK({ atoms: [{ n: 1, c: 1, count: 4 }], order: new Uint32Array(4) })).toBe(1);
});

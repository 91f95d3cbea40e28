import fc from "fast-check";
import { expect, test } from "vitest";
import { acceptance, exploreSlots } from "./annealing.ts";

// Computed with the Python SDK.
test.each([
  [8, 0, 3],
  [32, 0, 13],
  [8, 10, 2],
  [32, 10, 7],
  [32, 30, 3],
])("exploreSlots(%i, %i) is %i", (batch, round, slots) => {
  expect(exploreSlots(batch, round)).toBe(slots);
});

test("at most half of a batch is explored, and never more than in the round before", () => {
  fc.assert(
    fc.property(fc.nat(64), fc.nat(200), (batch, round) => {
      const slots = exploreSlots(batch, round);
      expect(slots).toBeLessThanOrEqual(batch / 2);
      expect(exploreSlots(batch, round + 1)).toBeLessThanOrEqual(slots);
    }),
  );
});

test("a stranger is welcome more often than a neighbour, and less often when it is cold", () => {
  expect(acceptance(0.9, 0)).toBe(1);
  expect(acceptance(0.3, 0)).toBeCloseTo(0.15, 12);
  expect(acceptance(0.9, 30)).toBeLessThan(acceptance(0.9, 10));
});

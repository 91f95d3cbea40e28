import fc from "fast-check";
import { expect, test } from "vitest";
import { arrangements, countArrangements } from "./arrangements.ts";
import { asksOf } from "./asks.ts";

test.each([
  // rewards, sizes, arrangements
  [[1, 0], [2], 2],
  [[1, 0, 0, 0], [4], 4],
  [[1, 1, 0, 0], [4], 6],
  [[1, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1], [4, 4, 4], 216],
  [[1, 1, 1], [3], 1],
  [[0.1, 0.2, 0.3], [3], 6],
  [[1, 0, 1], [1, 1, 1], 1],
  [[], [], 1],
])("the rewards %j of asks of %j have %i arrangements", (rewards, sizes, count) => {
  expect(countArrangements(asksOf(Float64Array.from(rewards), sizes))).toBe(count);
});

test("what cannot be counted is infinite", () => {
  const rewards = Float64Array.from({ length: 800 }, (_, i) => i % 2);
  expect(countArrangements(asksOf(rewards, Array<number>(100).fill(8)))).toBe(Number.POSITIVE_INFINITY);
});

const anyAsks = fc
  .array(fc.array(fc.constantFrom(0, 0.5, 1), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
  .map((groups) =>
    asksOf(
      Float64Array.from(groups.flat()),
      groups.map(({ length }) => length),
    ),
  );

test("every arrangement comes once, and each ask keeps its rewards", () => {
  fc.assert(
    fc.property(anyAsks, (asks) => {
      const count = countArrangements(asks);
      const next = arrangements(asks);
      const seen = new Set<string>();
      const sorted = (values: Float64Array): string =>
        Array.from(asks.means, (_, g) => [...values.subarray(asks.starts[g], asks.starts[g + 1])].sort()).join("|");
      for (let i = 0; i < count; i++) {
        const { values } = next();
        seen.add(String(values));
        expect(sorted(values)).toBe(sorted(asks.reward));
      }
      expect(seen.size).toBe(count);
      expect(seen).toContain(String(asks.reward));
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { spreadByRate } from "./spread-by-rate.ts";

const tasks = fc.uniqueArray(fc.tuple(fc.string(), fc.integer({ min: 0, max: 8 })), { selector: ([task]) => task });

test("every task comes once, and no level comes a second time before all levels came once", () => {
  fc.assert(
    fc.property(tasks, (rated) => {
      const rates = new Map(rated.map(([task, passes]) => [task, passes / 8]));
      const order = spreadByRate([...rates.keys()], (task) => rates.get(task)!);
      expect([...order].sort()).toEqual([...rates.keys()].sort());
      const nLevels = new Set(rates.values()).size;
      const firstRound = order.slice(0, nLevels).map((task) => rates.get(task));
      expect(firstRound).toEqual([...new Set(rates.values())].sort((a, b) => a - b));
    }),
  );
});

test("rates that differ beyond the fourth decimal are one level", () => {
  const rates = new Map([
    ["a", 0.33333],
    ["b", 0.333331],
    ["c", 0.5],
  ]);
  expect(spreadByRate(["a", "b", "c"], (task) => rates.get(task)!)).toEqual(["a", "c", "b"]);
});

import type { Row } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { balanceKeep, balanceRollouts } from "./balance-rollouts.ts";

const task = (task_id: string, rewards: readonly (number | null)[]): Row[] =>
  rewards.map((reward): Row => (reward === null ? { task_id } : { task_id, reward }));

test("a task keeps as many rows as its shorter side has, in file order; tasks of one side stay whole", () => {
  const before = [...task("a", [1, 0, 1, 0]), ...task("only", [1, 1, 1])];
  const after = task("a", [1, 0]);
  const balanced = balanceRollouts(before, after);
  expect(balanced).toMatchObject({ rowsDropped: { before: 2, after: 0 }, tasksTrimmed: 1, after });
  expect(balanced.before).toEqual(before.filter((row) => balanced.before.includes(row)));
  expect(balanced.before).toHaveLength(5);
});

test("strict counts graded rows, compat every row", () => {
  const before = task("a", [1, 0, null, null]);
  const after = task("a", [1, 0]);
  expect(balanceRollouts(before, after).rowsDropped).toEqual({ before: 0, after: 0 });
  expect(balanceRollouts(before, after, { inference: "compat" }).rowsDropped).toEqual({ before: 2, after: 0 });
});

test("one object listed twice is two rows", () => {
  const row: Row = { task_id: "a", reward: 1 };
  expect(balanceRollouts([row, row, row], [row]).before).toEqual([row]);
});

test("what is kept is so many different positions in order, and depends on the seed, the side and the task", () => {
  fc.assert(
    fc.property(fc.nat(40), fc.nat(40), fc.nat(), fc.string(), (n, keep, seed, name) => {
      const kept = balanceKeep(n, keep, { seed, side: "after", task: name });
      expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
      expect(kept).toHaveLength(Math.min(n, keep));
      for (const position of kept) expect(position).toBeLessThan(n);
    }),
  );
  const keep = (seed: number, side: "before" | "after", name: string) =>
    balanceKeep(40, 10, { seed, side, task: name });
  const one = keep(0, "before", "t");
  for (const other of [keep(1, "before", "t"), keep(0, "after", "t"), keep(0, "before", "u")]) {
    expect(other).not.toEqual(one);
  }
});

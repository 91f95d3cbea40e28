import fc from "fast-check";
import { expect, test } from "vitest";
import { GroupTable } from "./group-table.ts";

function groupOf(rewards: readonly (number | null)[], key = "t"): GroupTable {
  const table = new GroupTable();
  for (const reward of rewards) table.add(key, reward);
  return table;
}

test("0.5 is neither fail nor pass, an ungraded row counts in k alone, the deviation is the population's", () => {
  const stamp = groupOf([1, 0.5, 0.49, 0, 1, null, null]).stamp("t")!;
  expect(stamp).toMatchObject({ k: 7, n0: 2, n1: 2 });
  expect(stamp.reward_mean).toBeCloseTo(0.598, 12);
  expect(stamp.reward_std).toBeCloseTo(0.374721, 6);
});

test.each([
  ["sc-9", "7d9adad949f4"],
  ["q", "22ea1c649c82"],
  ["Où est ma commande ?", "4c326dc6dcbe"],
])("the group of task %s is %s", (key, id) => {
  expect(groupOf([1, 0], key).stamp(key)!.group_id).toBe(id);
});

test("a task may be called __proto__", () => {
  expect(groupOf([1, 0], "__proto__").stamp("__proto__")).toMatchObject({ k: 2, n0: 1, n1: 1 });
});

test("no group at all when no task repeats; a row without a task is in none", () => {
  const table = groupOf([1]);
  table.add("u", 0);
  table.add("", 1);
  table.add("", 1);
  expect([table.stamp("t"), table.stamp(""), table.nStamped]).toEqual([null, null, 0]);
  table.add("u", 1);
  expect(table.stamp("t")).toMatchObject({ k: 1, n1: 1 });
});

test("without a graded row mean and deviation are null", () => {
  expect(groupOf([null, null]).stamp("t")).toMatchObject({ k: 2, n0: 0, n1: 0, reward_mean: null, reward_std: null });
});

test("k is at least n0 + n1, and shifting all rewards leaves the deviation", () => {
  const rewards = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 2 });
  fc.assert(
    fc.property(rewards, (list) => {
      const stamp = groupOf(list).stamp("t")!;
      expect(stamp.k).toBeGreaterThanOrEqual(stamp.n0 + stamp.n1);
      if (stamp.reward_std === null) return;
      const shifted = groupOf(list.map((reward) => (reward === null ? null : reward + 3))).stamp("t")!;
      expect(shifted.reward_std).toBeCloseTo(stamp.reward_std, 6);
    }),
  );
});

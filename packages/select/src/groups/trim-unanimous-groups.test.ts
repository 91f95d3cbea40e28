import type { Row } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { trimUnanimousGroups } from "./trim-unanimous-groups.ts";

const rows = (task: string, rewards: (number | null)[]): Row[] => rewards.map((reward) => ({ task_id: task, reward }));

test("ungraded rows of a unanimous task go with it, those of a mixed one stay", () => {
  const given = [...rows("dead", [1, 1, null]), ...rows("alive", [1, 0, null]), ...rows("single", [1, null])];
  const { rows: kept, report } = trimUnanimousGroups(given);
  expect(kept).toEqual([...rows("alive", [1, 0, null]), ...rows("single", [1, null])]);
  expect(report).toMatchObject({ n: 8, nKept: 5, nDropped: 3, nGroupsDropped: 1 });
  expect(report.signal).toMatchObject({ nMixed: 1, nAllOne: 1, nSingle: 1 });
});

test("rows without a key are tasks of their own, and __proto__ is a task like any other", () => {
  const { rows: kept } = trimUnanimousGroups([{ reward: 1 }, { reward: 1 }, ...rows("__proto__", [0, 0])]);
  expect(kept).toEqual([{ reward: 1 }, { reward: 1 }]);
});

test("a single rollout agrees with itself and stays, whatever minK", () => {
  expect(trimUnanimousGroups(rows("single", [1]), { minK: 1 }).rows).toHaveLength(1);
});

test("minK below 1 is refused", () => {
  expect(() => trimUnanimousGroups([], { minK: 0 })).toThrow("minK is 0. Pass a whole number from 1 up.");
});

test("what is kept has contrast or is alone, and trimming again changes nothing", () => {
  const groups = fc.array(fc.array(fc.constantFrom(0, 1, 0.5, null), { maxLength: 5 }), { maxLength: 6 });
  fc.assert(
    fc.property(groups, (given) => {
      const { rows: kept } = trimUnanimousGroups(given.flatMap((rewards, i) => rows(`t${i}`, rewards)));
      const again = trimUnanimousGroups(kept);
      expect(again.rows).toEqual(kept);
      expect(again.report.signal).toMatchObject({ nAllOne: 0, nAllZero: 0 });
    }),
  );
});

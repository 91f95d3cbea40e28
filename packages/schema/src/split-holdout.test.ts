import fc from "fast-check";
import { expect, test } from "vitest";
import { splitHoldout } from "./split-holdout.ts";
import { taskKey } from "./task-key.ts";

const rowLists = fc.array(fc.record({ task_id: fc.string({ maxLength: 3 }), rollout_index: fc.nat(3) }), {
  minLength: 1,
  maxLength: 30,
});

/** Every list gets one row that is never held out at these fractions, so that no split is refused. */
const KEPT = { task_id: "s1" };
const fractions = fc.constantFrom(0.1, 0.3, 0.5, 0.9);

test.each([0, null])("%d holds out nothing", (fraction) => {
  expect(splitHoldout([{ task_id: "a" }], fraction)).toEqual({ train: [{ task_id: "a" }], holdout: [] });
});

test.each([1, -0.1, 1.5, Number.NaN])("a fraction of %d is refused", (fraction) => {
  expect(() => splitHoldout([{ task_id: "a" }], fraction)).toThrow("strictly between 0 and 1");
});

test("rows without any key share one side", () => {
  const { train, holdout } = splitHoldout([{}, {}, KEPT], 0.9);
  expect([train.length, holdout.length]).toEqual([1, 2]);
});

test("a task is on one side, rows keep their order and none is lost", () => {
  fc.assert(
    fc.property(rowLists, fractions, (list, fraction) => {
      const rows = [...list, KEPT];
      const { train, holdout } = splitHoldout(rows, fraction);
      const trained = new Set(train.map(taskKey));
      expect(holdout.filter((row) => trained.has(taskKey(row)))).toEqual([]);
      expect(rows.filter((row) => trained.has(taskKey(row)))).toEqual(train);
      expect(train.length + holdout.length).toBe(rows.length);
    }),
  );
});

test("a task's side does not depend on the other rows or on their order", () => {
  fc.assert(
    fc.property(rowLists, rowLists, fractions, (list, others, fraction) => {
      const held = (rows: typeof list) => new Set(splitHoldout([...rows, KEPT], fraction).holdout.map(taskKey));
      const all = held([...others, ...list].reverse());
      for (const key of list.map(taskKey)) expect(all.has(key)).toBe(held(list).has(key));
    }),
  );
});

test("a larger fraction holds out the same tasks and more", () => {
  const rows = Array.from({ length: 200 }, (_, i) => ({ task_id: `t${i}` }));
  const small = splitHoldout(rows, 0.2).holdout;
  const large = splitHoldout(rows, 0.4).holdout;
  expect(large).toEqual(expect.arrayContaining(small));
  expect([small.length, large.length]).toEqual([37, 67]);
});

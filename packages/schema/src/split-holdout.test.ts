import fc from "fast-check";
import { expect, test } from "vitest";
import type { Row } from "./row.ts";
import { type SplitOptions, splitHoldout } from "./split-holdout.ts";
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

const tasks = (rewards: Readonly<Record<string, number>>, more: object = {}) =>
  Object.entries(rewards).flatMap(([task_id, reward]) => [0, 1].map(() => ({ task_id, reward, ...more })));
const named = (prefix: string, n: number, reward: number) =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`${prefix}${i}`, reward]));
const heldOf = (rows: Parameters<typeof splitHoldout>[0], fraction: number, options: SplitOptions) =>
  [...new Set(splitHoldout(rows, fraction, options).holdout.map(taskKey))].sort();

test("exact holds out the share itself, of solved and unsolved tasks alike", () => {
  const rows = tasks({ ...named("s", 10, 1), ...named("u", 10, 0), ...named("b", 5, 0.5) });
  const held = heldOf(rows, 0.2, { exact: true });
  expect(held).toHaveLength(5);
  expect(["s", "u", "b"].map((kind) => held.filter((task) => task.startsWith(kind)).length)).toEqual([2, 2, 1]);
  // The order of the rows says nothing, and a salt draws others.
  expect(heldOf([...rows].reverse(), 0.2, { exact: true })).toEqual(held);
  expect(heldOf(rows, 0.2, { exact: true, salt: "other" })).not.toEqual(held);
});

test.each([
  // tasks, fraction, held
  [12, 0.3, 4],
  [2, 0.1, 1],
  [3, 0.9, 2],
  [7, 0.5, 4],
])("of %i tasks %d is %i", (n, fraction, held) => {
  expect(heldOf(tasks(named("t", n, 1)), fraction, { exact: true })).toHaveLength(held);
});

test("what keeps tasks together keeps them on one side, through a task of two ties too", () => {
  const rows = Array.from({ length: 30 }, (_, i) => ({ task_id: `t${i}`, persona: `p${i % 6}` }));
  // A task of p0 and of p1 makes one unit of both.
  rows.push({ task_id: "t0", persona: "p1" });
  const together = (row: Row) => String(row.persona);
  for (const options of [{ together }, { together, exact: true }]) {
    const { train, holdout } = splitHoldout(rows, 0.4, options);
    const side = (list: readonly Row[]) => new Set(list.map(({ persona }) => persona));
    expect([...side(train)].filter((persona) => side(holdout).has(persona))).toEqual([]);
    expect(side(train).has("p0")).toBe(side(train).has("p1"));
    expect(heldOf([...rows].reverse(), 0.4, options)).toEqual(heldOf(rows, 0.4, options));
  }
  expect(splitHoldout(rows, 0.4, { together: () => null })).toEqual(splitHoldout(rows, 0.4));
});

test("a unit that is too large for the share is not taken for it", () => {
  const rows = Array.from({ length: 20 }, (_, i) => ({ task_id: `t${i}`, persona: i < 10 ? "one" : null }));
  const together = (row: Row) => row.persona as string | null;
  for (const salt of "abcdefghij") expect(heldOf(rows, 0.2, { exact: true, together, salt })).toHaveLength(4);
});

test("a salt draws other tasks at the same share", () => {
  const rows = tasks(named("t", 200, 1));
  const [own, other] = [heldOf(rows, 0.5, {}), heldOf(rows, 0.5, { salt: "a" })];
  expect(other).not.toEqual(own);
  expect(other.length).toBeGreaterThan(70);
  expect(other.length).toBeLessThan(130);
});

test("exact is never off by more than half a task, and loses no row", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(0, 0.5, 1), { minLength: 2, maxLength: 40 }),
      fractions,
      (rewards, fraction) => {
        const rows = rewards.map((reward, i) => ({ task_id: `t${i}`, reward }));
        const { train, holdout } = splitHoldout(rows, fraction, { exact: true });
        expect(train.length + holdout.length).toBe(rows.length);
        const wanted = Math.min(rows.length - 1, Math.max(1, Math.round(fraction * rows.length)));
        expect(holdout.length).toBe(wanted);
      },
    ),
  );
});

test("a misspelled option is refused", () => {
  expect(() => splitHoldout([{ task_id: "a" }], 0.5, { exct: true } as never)).toThrow("exct");
});

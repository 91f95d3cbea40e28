import type { Row } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SelectError } from "../select-error.ts";
import { curriculum, retireSolved, scheduledRows } from "./curriculum.ts";
import { type CurriculumOptions, MEMBERSHIPS } from "./curriculum-options.ts";
import { formatCurriculum } from "./format-curriculum.ts";
import { taskPrior } from "./task-prior.ts";

const task = (id: string, passes: number, n: number): Row[] =>
  Array.from({ length: n }, (_, i) => ({ scenario_id: id, prompt: `ask ${id}`, reward: Number(i < passes) }));

const ids = (tasks: readonly { taskId: string }[]): string[] => tasks.map(({ taskId }) => taskId);

const counts = fc.array(
  fc.integer({ min: 1, max: 16 }).chain((n) => fc.tuple(fc.nat(n), fc.constant(n))),
  { minLength: 1, maxLength: 12 },
);
const rowsOf = (table: readonly (readonly [number, number])[]): Row[] =>
  table.flatMap(([passes, n], i) => task(`t${i}`, passes, n));

describe("places", () => {
  test.each(MEMBERSHIPS)("by %s every measured task has one, and order of rows does not matter", (membership) => {
    fc.assert(
      fc.property(counts, (table) => {
        const rows = rowsOf(table);
        const report = curriculum(rows, { membership });
        const placed = [report.trainable, report.retired, report.notReady, report.thin].flatMap(ids);
        expect(placed.sort()).toEqual(table.map((_, i) => `t${i}`).sort());
        expect(report.tiers.flatMap(ids)).toEqual(report.schedule);
        const again = curriculum([...rows].reverse(), { membership });
        expect(again.schedule).toEqual(report.schedule);
      }),
    );
  });

  test("7 of 8 is retired by its measured rate, and kept when luck explains it", () => {
    const rows = [...task("lucky", 7, 8), ...["a", "b", "c", "d", "e"].flatMap((id) => task(id, 4, 8))];
    expect(ids(curriculum(rows, { membership: "point" }).retired)).toEqual(["lucky"]);
    expect(ids(curriculum(rows).retired)).toEqual([]);
  });

  test("many rollouts settle it", () => {
    const rows = [...task("solved", 63, 64), ...task("hopeless", 1, 64), ...task("half", 32, 64)];
    const report = curriculum(rows);
    expect([report.retired, report.notReady, report.trainable].map(ids)).toEqual([["solved"], ["hopeless"], ["half"]]);
    expect(report.needsRollouts).toEqual([]);
  });

  test("a task retired before comes back only when it is more likely unsolved than solved", () => {
    const rows = task("edge", 14, 16);
    expect(ids(curriculum(rows).retired)).toEqual([]);
    expect(ids(curriculum(rows, { retired: ["edge"] }).retired)).toEqual(["edge"]);
    expect(ids(curriculum(task("edge", 9, 16), { retired: ["edge"] }).retired)).toEqual([]);
  });

  test("a task in doubt says how many more rollouts are likely to settle it", () => {
    const { needsRollouts } = curriculum([...task("new", 1, 2), ...task("known", 32, 64)]);
    expect(needsRollouts.map(({ taskId }) => taskId)).toEqual(["new"]);
    expect(needsRollouts[0]!.more).toBeGreaterThan(0);
  });

  test("tasks of one rate are not split over two tiers", () => {
    const rows = ["a", "b", "c", "d", "e"].flatMap((id) => task(id, 4, 8));
    expect(curriculum(rows).tiers.map((tier) => tier.length)).toEqual([5, 0, 0]);
    expect(curriculum(rows, { membership: "point" }).tiers.map((tier) => tier.length)).toEqual([2, 2, 1]);
  });
});

test("tasks whose rates are one and the same are ranked alike, whatever the order of the rows", () => {
  // A third of all rollouts pass, and so do 5 of 15 and 2 of 6: the last digit of the prior parts them.
  const passes = [4, 2, 3, 7, 3, 5, 1, 2, 1, 2, 2];
  const sizes = [4, 13, 6, 10, 4, 15, 1, 12, 15, 10, 6];
  const rows = rowsOf(passes.map((n, i) => [n, sizes[i]!] as const));
  expect(curriculum(rows.toReversed()).schedule).toEqual(curriculum(rows).schedule);
});

test("taskPrior has the mean of the tasks, and is stronger the more alike they are", () => {
  const alike = taskPrior(Array.from({ length: 20 }, () => ({ passes: 4, n: 8 })));
  const unlike = taskPrior(Array.from({ length: 20 }, (_, i) => ({ passes: i % 2 === 0 ? 8 : 0, n: 8 })));
  expect(alike.a / (alike.a + alike.b)).toBeCloseTo(0.5, 12);
  expect(alike.a + alike.b).toBe(20);
  expect(unlike.a + unlike.b).toBeLessThan(1.1);
  expect(taskPrior([{ passes: 1, n: 2 }])).toEqual({ a: 1, b: 1 });
  expect(taskPrior(Array.from({ length: 9 }, () => ({ passes: 1, n: 1 })))).toEqual({ a: 1, b: 1 });
});

test("retireSolved keeps rows in order, with tasks nobody measured", () => {
  const rows = [...task("solved", 64, 64), { prompt: "new" }, ...task("half", 2, 4)];
  expect(retireSolved(rows)).toEqual(rows.slice(64));
});

test("scheduledRows are the rows of the schedule, easy tasks first", () => {
  const rows = [...task("hard", 2, 8), ...task("easy", 6, 8), ...task("never", 0, 64), { prompt: "new" }];
  const scheduled = scheduledRows(rows, curriculum(rows));
  expect(scheduled).toEqual([...rows.slice(8, 16), ...rows.slice(0, 8)]);
});

test("rows without labels are counted, not placed", () => {
  const report = curriculum([{ prompt: "new" }, ...task("half", 2, 4)]);
  expect({ nTasks: report.nTasks, nUnlabeled: report.nUnlabeled }).toEqual({ nTasks: 1, nUnlabeled: 1 });
  expect(formatCurriculum(report)).toBe(
    [
      "tasks 1  trainable 1 (in band 1)  retired 0  not ready 0  thin 0",
      "  tier 1: 1 task, pass 0.50 -> 0.50",
      "  1 task without a 0/1 reward, not placed",
      "  in doubt 1, and the rollouts likely to settle each: half (1)",
    ].join("\n"),
  );
  expect(curriculum([]).schedule).toEqual([]);
});

test.each<[CurriculumOptions, RegExp]>([
  [{ floor: 0.9 }, /floor below solved/],
  [{ tiers: 0 }, /tiers is 0/],
  [{ confidence: 0.2 }, /confidence/],
  [{ membership: "exact" as never }, /posterior, point/],
  [{ band: [0.8, 0.2] }, /lo <= hi/],
  [{ solvd: 0.8 } as never, /solved/],
])("%j is refused", (options, message) => {
  expect(() => curriculum([], options)).toThrow(SelectError);
  expect(() => curriculum([], options)).toThrow(message);
});

import type { Row } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ProfileBuilder } from "./profile-builder.ts";

function profile(rows: readonly Row[]) {
  const builder = new ProfileBuilder();
  for (const row of rows) builder.add(row);
  return builder.finish();
}

const rowsOf = (byTask: Record<string, (number | null)[]>): Row[] =>
  Object.entries(byTask).flatMap(([task_id, rewards]) =>
    rewards.map((reward, i) => ({ task_id, reward, final_text: `${i}` })),
  );

test("counts, rates and the support of a set", () => {
  const rows = rowsOf({
    t1: [1, 0, 1, 0],
    t2: [1, 1, 1, 1],
    t3: [0, 0, 0, 0],
    t4: [1],
    t5: [0.5, 0.4],
    t6: [null, null],
  });
  expect(profile(rows)).toMatchObject({
    rows: 17,
    graded: 15,
    pass_rate: 0.533,
    split: { pass: 8, fail: 7, ungraded: 2 },
    tasks: 6,
    rows_per_task: 2.833,
    tasks_with_repeats: 4,
    mixed_tasks: 2,
    mixed_fraction: 0.333,
    support: 0.4,
  });
});

test("six mixed tasks of 21 leave 5/21 of the gradient", () => {
  const byTask: Record<string, number[]> = {};
  for (let i = 0; i < 21; i += 1)
    byTask[`t${i}`] = i < 4 ? [1, 0, 0, 0] : i < 6 ? [1, 1, 0, 0] : i < 7 ? [1, 1, 1, 1] : [0, 0, 0, 0];
  expect(profile(rowsOf(byTask))).toMatchObject({
    rows: 84,
    pass_rate: 0.143,
    mixed_tasks: 6,
    mixed_fraction: 0.286,
    support: 0.238,
  });
});

test("nothing graded has no pass rate, which is not a rate of 0", () => {
  expect(profile(rowsOf({ a: [null], b: [null] }))).toMatchObject({ graded: 0, pass_rate: null, support: null });
  expect(profile([])).toMatchObject({ rows: 0, tasks: 0, rows_per_task: null, mixed_fraction: null });
});

test("tool use, temperatures, cut replies and repeated rows are counted", () => {
  const row: Row = {
    task_id: "a",
    reward: 1,
    steps: [{ tool: "search", arguments: {}, result: "x" }],
    sampling: { temperature: 0.7 },
  };
  expect(profile([row, { ...row }, { task_id: "b", reward: 0, finish_reason: "length" }])).toMatchObject({
    duplicates: 1,
    truncated: 1,
    tool_use: { rows_with_calls: 2, share: 0.667, by_tool: { search: 2 } },
    temperatures: { "0.7": 2 },
    reward_values: { "0": 1, "1": 2 },
  });
});

test("the order of rows does not matter to any count", () => {
  const rows = fc.array(
    fc.record({ task_id: fc.constantFrom("a", "b", "__proto__"), reward: fc.constantFrom(0, 1, 0.5, null) }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(rows, (given) => {
      const strip = ({ per_task, ...rest }: ReturnType<typeof profile>) => ({ ...rest, per_task: per_task.length });
      expect(strip(profile([...given].reverse()))).toEqual(strip(profile(given)));
    }),
  );
});

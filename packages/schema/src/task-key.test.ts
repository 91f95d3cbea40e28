import fc from "fast-check";
import { expect, test } from "vitest";
import type { Row } from "./row.ts";
import { groupByTask, taskKey } from "./task-key.ts";

const ids = fc.constantFrom("", "a", "b", "__proto__", "constructor", "row:1", "row:0");
const rowLists = fc.array(fc.record({ scenario_id: ids, task_id: ids, prompt: ids }, { requiredKeys: [] }), {
  maxLength: 12,
});

test("a message list under prompt is its JSON, so two such asks are two tasks", () => {
  const ask = (content: string) => ({ prompt: [{ role: "user", content }] }) as unknown as Row;
  expect(taskKey(ask("a"))).toBe('[{"role": "user", "content": "a"}]');
  expect(taskKey(ask("a"))).not.toBe(taskKey(ask("b")));
});

test("taskKey reads its row, changes nothing and answers the same again", () => {
  fc.assert(
    fc.property(rowLists, (rows) => {
      const before = structuredClone(rows);
      const keys = rows.map(taskKey);
      expect(rows.map(taskKey)).toEqual(keys);
      expect(rows).toEqual(before);
    }),
  );
});

test("tasks and rows keep the order given", () => {
  const rows = [
    { task_id: "b", n: 0 },
    { task_id: "a", n: 1 },
    { task_id: "b", n: 2 },
  ];
  expect([...groupByTask(rows).groups]).toEqual([
    ["b", [rows[0], rows[2]]],
    ["a", [rows[1]]],
  ]);
});

test("a row without a key is a task of its own, under a name no task bears", () => {
  const rows = [{ task_id: "row:1" }, {}, {}];
  const { groups, nWithoutKey } = groupByTask(rows);
  expect(nWithoutKey).toBe(2);
  expect([...groups.keys()]).toEqual(["row:1", "row:row:1", "row:2"]);
});

test("every row is in exactly one group, with the rows of its key", () => {
  fc.assert(
    fc.property(rowLists, (rows) => {
      const { groups, nWithoutKey } = groupByTask(rows);
      expect([...groups.values()].flat()).toHaveLength(rows.length);
      expect(nWithoutKey).toBe(rows.filter((row) => taskKey(row) === "").length);
      for (const group of groups.values()) {
        const key = taskKey(group[0]!);
        if (key === "") expect(group).toHaveLength(1);
        else expect(group).toEqual(rows.filter((row) => taskKey(row) === key));
      }
    }),
  );
});

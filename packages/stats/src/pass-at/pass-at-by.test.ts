import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import type { GroupBy } from "../rows/group-by.ts";
import { passAt } from "./pass-at.ts";
import { passAtBy, passAtByStream } from "./pass-at-by.ts";

const row = (task_id: string, reward: number, extra: Partial<Row> = {}): Row => ({ task_id, reward, ...extra });

const all: Row[] = [
  row("a", 1, { category: "refund", lineage: { eval_run: 2 }, tags: { difficulty: "hard" }, markers: { polite: 1 } }),
  row("b", 0, { category: "cancel", lineage: { eval_run: 1 }, tags: { difficulty: "easy" }, markers: { polite: 0 } }),
  row("c", 1, { category: "" }),
];

test.each<[GroupBy, string, string[], number]>([
  ["category", "category", ["cancel", "refund"], 1],
  ["eval_run", "eval_run", ["1", "2"], 1],
  ["tag:difficulty", "tag:difficulty", ["easy", "hard"], 1],
  ["marker:polite", "marker:polite", ["0", "1"], 1],
  ["toString", "toString", [], 3],
  [({ task_id }) => (task_id === "b" ? null : "rest"), "group", ["rest"], 1],
])("by %s", (by, name, groups, nWithoutGroup) => {
  const report = passAtBy(all, by);
  expect(report.by).toBe(name);
  expect([...report.groups.keys()]).toEqual(groups);
  expect(report.nWithoutGroup).toBe(nWithoutGroup);
});

test("each group is the report of its rows, and a stream gives the same", async () => {
  const report = passAtBy(all, "category", { k: 1, minK: 1 });
  expect(report.groups.get("refund")).toEqual(passAt([all[0]!], { k: 1, minK: 1 }));
  async function* stream() {
    yield* all;
  }
  expect(await passAtByStream(stream(), "category", { k: 1, minK: 1 })).toEqual(report);
});

test("options are checked even where there are no rows", () => {
  expect(() => passAtBy([], "category", { k: 0.5 })).toThrow("k is 0.5.");
});

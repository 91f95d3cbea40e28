import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { StatsError } from "../stats-error.ts";
import { coverageWarnings } from "./coverage-warnings.ts";
import { isDeadTool } from "./tool-outcomes.ts";

const calling = (tool: string, result: unknown = { status: "ok" }, more: Row = {}): Row => ({
  prompt: `use ${tool}`,
  steps: [{ tool, arguments: {}, result }],
  ...more,
});
const silent: Row = { prompt: "say  hi", final_text: "hi" };
const many = (n: number, row: Row): Row[] => Array.from({ length: n }, () => row);

test.each<[why: string, rows: Row[], tools: unknown[] | undefined, texts: string[]]>([
  ["no rows", [], ["a"], []],
  ["nothing is said about tools without tools", many(4, silent), undefined, []],
  ["no call at all", many(4, silent), ["a", "b"], ["no row called a tool: a, b were declared"]],
  [
    "two rows without a call",
    [...many(30, calling("a")), ...many(2, silent)],
    ["a"],
    ['2 of 32 rows called no tool: "say  hi"'],
  ],
  ["one row in 30 without a call", [...many(30, calling("a")), silent], ["a"], []],
  ["one row in ten without a call", [...many(9, calling("a")), {}], ["a"], ["1 of 10 rows called no tool"]],
  ["a tool nobody called", many(3, calling("a")), ["a", { name: "b" }], ["declared and never called: b"]],
  [
    "a tool that never works",
    many(9, calling("a", { status: "timeout" })),
    ["a"],
    ["a worked on 0 of 9 calls: look at what answers for it"],
  ],
  [
    "planned faults are no fault of the tool",
    many(9, calling("a", { status: "timeout" }, { faults: { a: { mode: "timeout" } } })),
    ["a"],
    [],
  ],
  [
    "a marker without a number",
    [{ markers: { x: null } }, { markers: { x: null, y: 1 } }],
    undefined,
    ["marker x has a number on no row"],
  ],
  [
    "one reward",
    [{ reward: 1 }, { reward: 1 }, {}],
    undefined,
    ["all 2 graded rows have the reward 1: nothing tells them apart"],
  ],
  ["one graded row", [{ reward: 1 }], undefined, []],
])("%s", (_, rows, tools, texts) => {
  const options = tools === undefined ? {} : { tools };
  expect(coverageWarnings(rows, options).map(({ text }) => text)).toEqual(texts);
});

test.each([
  // ok, n, injected, dead
  [0, 3, 0, false],
  [2, 5, 0, false],
  [0, 8, 0, false],
  [0, 9, 0, true],
  [1, 21, 0, true],
  [4, 612, 0, true],
  [0, 12, 10, false],
])("a tool that worked on %i of %i calls, %i of them with a planned fault, is dead: %s", (ok, n, injected, dead) => {
  expect(isDeadTool({ ok, n, faults: n - ok, injected })).toBe(dead);
});

test("an option by another name is refused", () => {
  expect(() => coverageWarnings([], { tool: [] } as never)).toThrow(StatsError);
});

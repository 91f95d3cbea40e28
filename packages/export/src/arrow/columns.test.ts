import { expect, test } from "vitest";
import { JsonNumber } from "../json/json-number.ts";
import { newTextCounts } from "../json/json-text.ts";
import { type Carry, Columns } from "./columns.ts";

function linesOf(rows: Record<string, unknown>[], carry: Carry): { lines: string[]; columns: Columns } {
  const columns = new Columns(carry, ["messages", "tools"]);
  for (const row of rows) columns.add(row);
  return { lines: rows.map((row) => columns.line(row, newTextCounts())), columns };
}

const messages = [{ role: "user", content: "q" }];

test("a float column has a point in every row, also deep inside a struct and where one row alone needs it", () => {
  const { lines } = linesOf(
    [
      { messages, reward: 1, usage: { cost: 1, tokens: 5 }, calibration: { pass_rate: 1 } },
      { messages, reward: 0, usage: { cost: 0.5, tokens: 6 }, calibration: { pass_rate: new JsonNumber("0") } },
    ],
    "auto",
  );
  expect(lines).toEqual([
    '{"messages": [{"role": "user", "content": "q"}], "reward": 1.0, "usage": {"cost": 1.0, "tokens": 5}, "calibration": {"pass_rate": 1.0}}',
    '{"messages": [{"role": "user", "content": "q"}], "reward": 0.0, "usage": {"cost": 0.5, "tokens": 6}, "calibration": {"pass_rate": 0.0}}',
  ]);
});

const unstable = [
  { messages, history: "none", user: null, faults: { a: { mode: "x" } } },
  { messages, history: ["asked"], faults: { b: 1 } },
  { messages },
];

test("auto moves columns without one type into one string, in the order in which rows first had them", () => {
  const { lines, columns } = linesOf(unstable, "auto");
  expect(columns.unstable).toEqual(["history", "faults"]);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { messages, metadata_json: '{"history": "none", "faults": {"a": {"mode": "x"}}}' },
    { messages, metadata_json: '{"history": ["asked"], "faults": {"b": 1}}' },
    { messages },
  ]);
  expect(columns.types()).toEqual(
    new Map([
      ["messages", "list<message>"],
      ["metadata_json", "string"],
    ]),
  );
});

test("columns leaves them where they are and calls them mixed", () => {
  const { lines, columns } = linesOf(unstable, "columns");
  expect(JSON.parse(lines[1]!)).toEqual({ messages, history: ["asked"], faults: { b: 1 } });
  expect(columns.types().get("history")).toBe("mixed");
});

test("none writes what the consumer reads, and the version", () => {
  const { lines } = linesOf([{ messages, reward: 1, schema_version: "1" }], "none");
  expect(JSON.parse(lines[0]!)).toEqual({ messages, schema_version: "1" });
});

test("a column called __proto__ is a column", () => {
  const row = JSON.parse('{"messages": [], "__proto__": "x"}');
  expect(linesOf([row], "columns").lines).toEqual(['{"messages": [], "__proto__": "x"}']);
});

test("messages and tools are never moved, however they differ", () => {
  const { columns } = linesOf(
    [
      { messages, tools: [{ a: 1 }] },
      { messages: [{ x: 1 }], tools: [{ b: "x" }] },
    ],
    "auto",
  );
  expect(columns.unstable).toEqual([]);
});

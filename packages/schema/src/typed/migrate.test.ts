import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validateRow } from "../checks/validate-row.ts";
import { readRows } from "../readers/read-rows.ts";
import type { Row } from "../row.ts";
import { taskKey } from "../task-key.ts";
import { writeRowsAs } from "../writers/write-rows-as.ts";
import { migrate } from "./migrate.ts";

const V1 = { schema_version: "1" };
const MESSAGES = [
  { role: "user", content: "Hi" },
  { role: "assistant", content: "Hello." },
];

describe("from before versions to 1:", () => {
  test.each<[string, Row, Row]>([
    [
      "what version 1 always has",
      { task_id: "t", prompt: "p", reward: 1 },
      { task_id: "t", prompt: "p", reward: 1, steps: [], final_text: "" },
    ],
    [
      "a row stamped 0",
      { schema_version: "0", scenario_id: "s" },
      { scenario_id: "s", prompt: "", steps: [], final_text: "" },
    ],
    [
      "loose names",
      { question: "Where?", answer: "Here.", reward: 0.5 },
      { prompt: "Where?", final_text: "Here.", steps: [], reward: 0.5 },
    ],
    [
      "messages alone",
      { scenario_id: "s", messages: MESSAGES },
      { scenario_id: "s", messages: MESSAGES, prompt: "Hi", steps: [{ text: "Hello." }], final_text: "Hello." },
    ],
    [
      "messages with their last reply, and no ask",
      { scenario_id: "s", messages: MESSAGES, final_text: "Hello." },
      { scenario_id: "s", messages: MESSAGES, prompt: "Hi", steps: [{ text: "Hello." }], final_text: "Hello." },
    ],
    [
      "the last thing said is the reply",
      { scenario_id: "s", steps: [{ text: "One." }, { tool: "look", arguments: {}, text: "Let me look." }] },
      {
        ...{ scenario_id: "s", prompt: "", final_text: "One." },
        steps: [{ text: "One." }, { tool: "look", arguments: {}, text: "Let me look." }],
      },
    ],
    [
      "unknown keys",
      { scenario_id: "s", odd: [1] },
      { scenario_id: "s", odd: [1], prompt: "", steps: [], final_text: "" },
    ],
  ])("%s", (_what, row, expected) => {
    const migrated = migrate(row);
    expect(migrated).toMatchObject({ ...V1, ...expected });
    expect(validateRow(migrated, { level: "strict" })).toEqual([]);
  });
});

test("a row of that version is the same reference, and migrating twice is migrating once", () => {
  const row: Row = { ...V1, prompt: "p" };
  expect(migrate(row)).toBe(row);
  const old: Row = { prompt: "p" };
  expect(migrate(old, "0")).toBe(old);
  const keys = fc.constantFrom("task_id", "scenario_id", "prompt", "final_text", "note", "odd");
  fc.assert(
    fc.property(fc.dictionary(keys, fc.string()), (any) => {
      const once = migrate(any);
      expect(migrate(once)).toBe(once);
      expect(once).toMatchObject({ ...any, ...V1 });
      expect(taskKey(once)).toBe(taskKey(any));
    }),
  );
});

test.each<[string, Row, string | undefined, RegExp]>([
  ["a later version", { schema_version: "9" }, undefined, /schema_version "9".*update it/],
  ["a version that there is not", {}, "2", /no version "2".*"0" and "1"/],
  ["back", V1, "0", /later than "0"/],
  ["no object", 3 as unknown as Row, undefined, /migrate got 3/],
])("%s is refused", (_what, row, to, message) => {
  expect(() => migrate(row, to)).toThrow(message);
});

test("rows of a later version are read with a word, and not told in another format", () => {
  const line = (schema_version: string) =>
    `${JSON.stringify({ schema_version, prompt: "p", steps: [], final_text: "f" })}\n`;
  const { rows, report } = readRows(line("9") + line("1") + line("9"));
  expect(rows.map((row) => row.schema_version)).toEqual(["9", "1", "9"]);
  expect(report.warnings).toMatchObject([
    { code: "unknown_schema_version", text: expect.stringMatching(/^2 rows have/) },
  ]);
  expect(() => [...writeRowsAs(rows, "openai")]).toThrow(/schema_version "9"/);
  expect(readRows(line("1")).report.warnings).toEqual([]);
});

import { describe, expect, test } from "vitest";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { checkRows, validateRow } from "./validate-row.ts";

const fine = { schema_version: "1", prompt: "p", steps: [], final_text: "f" };
const strict = (change: object) => validateRow({ ...fine, ...change }, { level: "strict" });

test.each([[null], [[]], ["row"], [3]])("%j is no row", (value) => {
  expect(validateRow(value)).toEqual(["not_a_dict"]);
});

test.each([
  [{ reward: "1" }, ["reward_not_number"]],
  [{ reward: null, prompt: null, calibration: null }, []],
  [{ final_text: ["f"], steps: "s" }, ["steps_not_list", "final_text_not_str"]],
  [{ calibration: { n: 4, pass_rate: 0.5 } }, []],
  [{ calibration: "often" }, ["calibration_invalid"]],
  // What loose lets through, as the Python SDK does, and strict does not.
  [{ reward: 7, markers: { brief: Number.NaN } }, []],
])("loose finds in %j: %j", (change, problems) => {
  expect(validateRow({ ...fine, ...change })).toEqual(problems);
});

describe("strict", () => {
  test.each([
    [{}, []],
    [{ reward: 7 }, ["reward_out_of_range"]],
    [{ reward: Number.NaN }, ["reward_not_finite"]],
    [{ reward: 1, judge_status: "error" }, ["reward_with_judge_status:error"]],
    [{ reward: null, judge_status: "error" }, []],
    [
      { markers: { brief: Number.POSITIVE_INFINITY, polite: null, kind: "yes" } },
      ["marker_not_finite:brief", "marker_not_finite:kind"],
    ],
    [{ markers: { chars: 240, "Not Lying": 1 } }, ["marker_out_of_range:chars", "marker_name:Not Lying"]],
    [{ steps: [{ text: "a" }, {}, { tool: null }, null] }, ["step_1_shape", "step_2_shape", "step_3_shape"]],
    [{ rollout_index: 1.5 }, ["rollout_index_not_int"]],
    [{ rollout_index: -1 }, ["rollout_index_not_int"]],
    [{ gold_reward: 0.5 }, ["gold_reward_invalid"]],
    [{ messages: [{ role: "user" }, { role: "bot" }, {}] }, ["message_1_role", "message_2_role"]],
  ])("finds in %j: %j", (change, problems) => {
    expect(strict(change)).toEqual(problems);
  });

  test("looks at rows without a version too, which loose never refuses", () => {
    expect(validateRow({ anything: 1 })).toEqual([]);
    expect(validateRow({ anything: 1 }, { level: "strict" })).toEqual([
      "prompt_missing",
      "steps_missing",
      "final_text_missing",
    ]);
  });
});

test.each([
  [{ messages: [] }, ["messages_missing"]],
  [{ messages: [{ content: "a" }], tools: "[]" }, ["message_without_role", "tools_not_list"]],
  [{ messages: [{ role: "user" }], loss_mask: [true] }, ["loss_mask_invalid"]],
  [{ messages: [{ role: "user" }], loss_mask: [2] }, ["loss_mask_invalid"]],
  [{ messages: [{ role: "user" }], loss_mask: [0] }, []],
])("a training row %j: %j", (row, problems) => {
  expect(validateRow(row, { kind: "training" })).toEqual(problems);
});

test("a strict training row answers every call", () => {
  const messages = [
    { role: "user", content: "go" },
    { role: "assistant", tool_calls: [{ id: "c1", name: "a" }, { name: "b" }, { id: "c3", name: "c" }] },
    { role: "tool", tool_call_id: "c1", content: "x" },
  ];
  const problems = validateRow({ messages }, { kind: "training", level: "strict" });
  expect(problems).toEqual(["unanswered_tool_call:b", "unanswered_tool_call:c3"]);
});

test.each([
  [{ chosen: [{ role: "assistant" }], rejected: [{ role: "assistant" }] }, []],
  [{ chosen: "a", rejected: [] }, ["chosen_missing", "rejected_missing"]],
])("a preference row %j: %j", (row, problems) => {
  expect(validateRow(row, { kind: "preference" })).toEqual(problems);
});

describe("checkRows", () => {
  test("lists the first five bad rows with their codes, and counts all", () => {
    const rows: Row[] = [
      fine,
      ...Array.from({ length: 7 }, () => ({ ...fine, reward: true as never, steps: {} as never })),
    ];
    const codes = [1, 2, 3, 4, 5].map((index) => `${index}:steps_not_list,reward_is_bool`).join("; ");
    expect(() => checkRows(rows, { where: "a.jsonl" })).toThrow(`schema_invalid in a.jsonl: ${codes} (7 of 8 rows).`);
  });

  test("takes one row, and says what to do", () => {
    expect(() => checkRows(fine)).not.toThrow();
    try {
      checkRows({});
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(SchemaError);
      expect(error).toMatchObject({
        code: "schema_invalid",
        what: "schema_invalid in rows: 0:empty_row (1 of 1 rows).",
      });
      expect((error as SchemaError).fix).not.toBe("");
    }
  });
});

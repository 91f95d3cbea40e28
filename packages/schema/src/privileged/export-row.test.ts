import { expect, test } from "vitest";
import type { Row } from "../row.ts";
import { cleanFaults, exportRow } from "./export-row.ts";

test("known keys come in a fixed order, the stamp last", () => {
  const row: Row = {
    zeta: 1,
    reward: 1,
    seed: 0,
    task_id: "t",
    tier: "hard",
    opener: "Hello.",
    final_text: "f",
    prompt: "p",
    world_state: "late",
    fault_detected: true,
  };
  expect(Object.keys(exportRow(row))).toEqual([
    ...["prompt", "messages", "steps", "final_text", "scenario_id", "opener", "opening", "tier", "world_state"],
    ...["fault_detected", "task_id", "seed", "reward", "zeta", "schema_version"],
  ]);
});

test("a blocked value cannot come back in messages rebuilt from steps", () => {
  const row = { prompt: "p", steps: [{ tool: "t", result: { hidden_state: "secret plan" } }], final_text: "f" };
  expect(JSON.stringify(exportRow(row))).not.toContain("secret plan");
});

test("carried messages stay; a reward of 0 is a reward", () => {
  const messages = [{ role: "user", content: "x" }];
  expect(exportRow({ prompt: "p", messages, reward: 0, reason: "no" })).toMatchObject({
    messages,
    reward: 0,
    reason: "no",
  });
});

test("a reason without a reward is of no verdict and stays behind", () => {
  expect(exportRow({ prompt: "p", reward: null, reason: "timeout" })).not.toHaveProperty("reason");
});

test.each([
  ["a prompt that is no text", { prompt: [{ role: "user", content: "x" }] }, "prompt_not_str"],
  ["a version this release does not know", { prompt: "p", schema_version: "9" }, "unknown_schema_version:9"],
])("%s is refused", (_what, row, code) => {
  expect(() => exportRow(row as unknown as Row)).toThrow(`schema_invalid in export_row: 0:${code}`);
});

test.each([
  [{ lookup: { mode: "timeout" }, stance: "angry" }, { lookup: { mode: "timeout" } }],
  [{ stance: "angry" }, null],
  [{}, null],
  [null, null],
  ["timeout", null],
])("cleanFaults(%j) is %j", (plan, faults) => {
  expect(cleanFaults(plan)).toEqual(faults);
});

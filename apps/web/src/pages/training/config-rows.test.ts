import { expect, test } from "vitest";
import { configRows } from "./config-rows.ts";

test("settings stand under their paths, in the order they were sent in", () => {
  const config = { method: "grpo", lora: { rank: 16, targets: ["q", "v"] }, beta: 0, note: null, empty: {} };
  expect(configRows(config)).toEqual([
    { name: "method", value: "grpo" },
    { name: "lora.rank", value: "16" },
    { name: "lora.targets", value: '["q","v"]' },
    { name: "beta", value: "0" },
    { name: "note", value: "null" },
    { name: "empty", value: "{}" },
  ]);
});

test("none", () => {
  expect(configRows(null)).toEqual([]);
  expect(configRows({})).toEqual([]);
});

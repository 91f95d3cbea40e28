import { expect, test } from "vitest";
import { detectShape, stamp, versionOf } from "./shape.ts";

test("stamp writes the version once and leaves another alone", () => {
  const row = { prompt: "p" };
  expect(stamp(row)).toEqual({ prompt: "p", schema_version: "1" });
  expect(row).toEqual({ prompt: "p" });
  const old = { schema_version: "0" };
  expect(stamp(old)).toBe(old);
});

test.each([
  [{}, "0"],
  [{ schema_version: null }, "0"],
  [{ schema_version: 1 as never }, "1"],
  [{ schema_version: "7" }, "7"],
])("versionOf(%j) is %s", (row, version) => {
  expect(versionOf(row)).toBe(version);
});

test.each([
  // A row stamped "0" is looked at like any other row.
  [{ schema_version: "0", scenario_id: "s" }, "engine"],
  [{ schema_version: "9", tool_trace: [] }, "platform_pull"],
  [{ scenario_id: null, conversation_id: "c" }, "otel"],
  [{ messages: [{ role: "user" }], steps: [{ text: "a" }] }, "loose"],
  [{ metadata_json: "{}", scenario_id: "s" }, "hf_flat"],
  [null, "loose"],
  [[], "loose"],
])("detectShape(%j) is %s", (row, shape) => {
  expect(detectShape(row)).toBe(shape);
});

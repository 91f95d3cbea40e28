import { expect, test } from "vitest";
import { toolFault } from "./tool-fault.ts";

test.each([
  // result, fault
  [{ status: "DENIED" }, "deny"],
  [{ status: "blocked" }, "deny"],
  [{ status: "entity missing" }, "not_found"],
  [{ status: "stale_result" }, "stale"],
  [{ status: "failed", error: "x" }, "failed"],
  [{ status: "404" }, "404"],
  [{ status: 503 }, "503"],
  [{ status: "200" }, ""],
  [{ status: "4040" }, ""],
  [{ status: "exit_0" }, ""],
  [{ status: "exit_127" }, "exit_127"],
  [{ status: "no_permission" }, "no_permission"],
  [{ status: "ok", error: "deprecated field" }, ""],
  [{ status: "", error: { code: 5 } }, "error"],
  [{ error: {} }, ""],
  [{ error: false }, ""],
  [{ reason: "already_acted_on" }, "already_done"],
  [{ reason: "timeout" }, ""],
  [{ status: "ok", stale: true }, "stale"],
  [{ status: "ok", stale: false }, ""],
  [{ status: "ok", rows: [{ note: "garbled response" }] }, "malformed"],
  ['{"status": "timeout"}', "timeout"],
  ['{"status": "timeout"', ""],
  ["<<garbled resp0nse", ""],
  [[{ status: "timeout" }], ""],
  [undefined, ""],
])("toolFault(%j) is %j", (result, fault) => {
  expect(toolFault(result)).toBe(fault);
});

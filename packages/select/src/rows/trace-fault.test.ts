import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { traceFault } from "./trace-fault.ts";

const answered = (...results: unknown[]): Row => ({ steps: results.map((result) => ({ tool: "get", result })) });
const plan = { get: { rate: 1 }, put: { mode: "permission_denied" } };

test.each<[fault: string, title: string, row: Row]>([
  ["no fault", "no steps", {}],
  ["timeout", "the first fault of several", answered({ status: "ok" }, { status: "timeout" }, { status: "deny" })],
  ["no fault", "a plan whose tool answered well", { ...answered({ status: "ok" }), faults: plan }],
  ["deny", "a plan when nothing was answered", { ...answered(null), faults: plan }],
  ["made_up", "a mode nobody knows", { faults: { get: { mode: "made_up" } } }],
  ["stale", "a tool trace", { tool_trace: [{ tool: "get", result: { stale: true } }] }],
])("%s: %s", (fault, _, row) => {
  expect(traceFault(row)).toBe(fault);
});

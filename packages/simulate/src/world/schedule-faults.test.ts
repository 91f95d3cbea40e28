import { toolFault } from "@while/schema";
import { describe, expect, test } from "vitest";
import { FAULT_MODES } from "./fault-modes.ts";
import { FaultSchedule, faultPlanOf, faultsOfCell, keepFaultPlan } from "./schedule-faults.ts";

// As the Python SDK draws it.
test.each([
  ["Where is my refund?", 0.5, 0, false],
  ["Cancel order A1001 now.", 0.5, 0, true],
  ["Cancel order A1001 now.", 0.5, 1, false],
  ["x", 0, 0, false],
  ["x", 1, 0, true],
])("keepFaultPlan(%j, %d, %i) is %s", (key, rate, seed, kept) => {
  expect(keepFaultPlan(key, rate, seed)).toBe(kept);
});

test.each([
  [{ tool: "get_order", tool_condition: "timeout" }, { get_order: { mode: "timeout", rate: 1 } }],
  [{ tool: "multi_tool", tool_condition: "malformed_result" }, { "*": { mode: "malformed", rate: 1 } }],
  [{ tool: "get_order", tool_condition: "rate_limited" }, { get_order: { mode: "rate_limited", rate: 1 } }],
  [{ tool: "get_order", tool_condition: "success" }, null],
  [{}, null],
])("faultsOfCell(%j)", (cell, plan) => {
  expect(faultsOfCell(cell)).toEqual(plan);
});

test("a plan read from a row keeps its faults and drops the words beside them", () => {
  expect(faultPlanOf({ a: { mode: "stale", rate: 0.5 }, b: {}, note: "t" })).toEqual({
    a: { mode: "stale", rate: 0.5 },
    b: { mode: "timeout", rate: 1 },
  });
  expect(faultPlanOf({ note: "t" })).toBeNull();
  expect(faultPlanOf(null)).toBeNull();
});

test.each([
  ["timeout", "timeout"],
  ["malformed", "malformed"],
  ["stale", "stale"],
  ["permission_denied", "deny"],
  ["rate_limited", "429 too many requests"],
  ["partial_result", ""],
  ["schema_drift", ""],
])("the mode %s reads as %j", (mode, fault) => {
  expect(toolFault(FAULT_MODES.get(mode)!(() => ({ a: 1, b: 2 })))).toBe(fault);
});

describe("FaultSchedule", () => {
  const schedule = (faults: object, options = {}) =>
    new FaultSchedule({ seed: 0, taskId: "t", faults: faults as never, ...options });
  const share = (faults: object, tool = "a") => {
    const one = schedule(faults);
    return (
      Array.from({ length: 1000 }, () => one.next(tool, () => ({}))).filter((answer) => answer !== null).length / 1000
    );
  };

  test("fails the share of calls that was asked for", () => {
    expect(share({ a: { mode: "timeout", rate: 0.3 } })).toBeCloseTo(0.3, 1);
    expect(share({ a: { mode: "timeout" } })).toBe(1);
    expect(share({ b: { mode: "timeout" } })).toBe(0);
  });

  test("a tool's own entry wins over the one for every tool", () => {
    expect(share({ "*": { mode: "timeout" }, a: { mode: "timeout", rate: 0 } })).toBe(0);
    expect(share({ "*": { mode: "timeout" } }, "constructor")).toBe(1);
  });

  test("the n-th call of a tool has the same fate whatever happens between", () => {
    const faults = { "*": { mode: "timeout", rate: 0.5 } };
    const alone = schedule(faults);
    const mixed = schedule(faults);
    for (let i = 0; i < 50; i++) {
      mixed.next("b", () => ({}));
      expect(mixed.next("a", () => ({}))).toEqual(alone.next("a", () => ({})));
    }
  });

  test("a mode of one's own works, and one that nobody knows is refused", () => {
    const faultModes = { on_fire: () => ({ status: "error", error: "smoke" }) };
    expect(schedule({ a: { mode: "on_fire" } }, { faultModes }).next("a", () => ({}))).toMatchObject({
      error: "smoke",
    });
    expect(() => schedule({ a: { mode: "on_fire" } })).toThrow("a fails by on_fire");
  });
});

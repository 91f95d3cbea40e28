import { expect, test } from "vitest";
import { buildDimensions } from "./build-dimensions.ts";

const tool = (name: string, properties: object = {}) => ({
  type: "function",
  function: { name, parameters: { type: "object", properties } },
});

test("the axes are tools, clauses, stances, world states, conditions and histories, in this order", () => {
  const { dimensions } = buildDimensions(
    [tool("get_order", { order_id: {} }), tool("get_order", { order_id: {} })],
    "Refund within a month.",
  );
  expect(Object.keys(dimensions)).toEqual(["tool", "rule", "stance", "world_state", "tool_condition", "history"]);
  expect(dimensions.tool).toEqual(["get_order", "unrelated", "multi_tool"]);
  expect(dimensions.rule).toEqual(["Refund within a month."]);
  expect(dimensions.world_state).toHaveLength(6);
});

test.each([
  [{ order_id: {} }, 6],
  [{ orderId: {} }, 6],
  [{ who: { type: "object", properties: { sku: {} } } }, 6],
  [{ city: {}, valid: {} }, 1],
])("a tool that takes %j has %i world states", (properties, n) => {
  expect(buildDimensions([tool("t", properties)], "").dimensions.world_state).toHaveLength(n);
});

test("more clauses than cells are said, with both numbers", () => {
  const policy = ["Check the order.", "Check the name.", "Check the sum."].join("\n\n");
  const { dimensions, nClauses, warning } = buildDimensions([], policy, { ruleCap: 2 });
  expect([dimensions.rule?.length, nClauses]).toEqual([2, 3]);
  expect(warning).toContain("3 clauses and the grid has cells for the first 2");
  expect(buildDimensions([], policy, { ruleCap: 2, dimensions: { rule: ["Check."] } }).warning).toBeUndefined();
});

test.each<[object, string]>([
  [{}, "dimensions is {}"],
  [{ tier: ["hard"] }, "There is no axis tier"],
  [{ mood: ["x"] }, "There is no axis mood"],
  [{ stance: [] }, "The axis stance has the values []"],
  [{ stance: ["grumpy"] }, "The stance grumpy has no tier"],
  [{ tool_condition: ["explodes"] }, "The tool condition explodes is no way to fail"],
])("dimensions %j are refused", (dimensions, what) => {
  expect(() => buildDimensions([], "", { dimensions: dimensions as never })).toThrow(what);
});

test("a fault mode, also one of one's own, is a tool condition", () => {
  const options = { dimensions: { tool_condition: ["success", "rate_limited", "on_fire"] }, faultModes: ["on_fire"] };
  expect(buildDimensions([], "", options).dimensions.tool_condition).toHaveLength(3);
});

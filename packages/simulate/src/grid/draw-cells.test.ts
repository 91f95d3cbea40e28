import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildDimensions } from "./build-dimensions.ts";
import { drawCells } from "./draw-cells.ts";
import { buildGrid } from "./grid.ts";
import { mixByTier } from "./mix-by-tier.ts";
import { nameTokens } from "./name-tokens.ts";
import { pairwiseCoverage } from "./pairwise-coverage.ts";
import { preferSuccess } from "./prefer-success.ts";
import { regionId } from "./region-id.ts";
import { cellRisk, regionKey, regionWeight } from "./region-weight.ts";
import { toolKind } from "./tool-kind.ts";

test.each([
  ["getOrderStatus", ["get", "order", "status"]],
  ["escalate_to_human", ["escalate", "to", "human"]],
  ["HTTPGet", ["httpget"]],
])("nameTokens(%s)", (name, words) => {
  expect(nameTokens(name)).toEqual(words);
});

test.each([
  ["get_order", undefined, "read"],
  ["refundOrder", undefined, "destructive"],
  ["run_report", undefined, "other"],
  ["archive", { destructiveHint: true }, "destructive"],
  ["delete_draft", { readOnlyHint: true }, "read"],
  ["send_mail", { destructiveHint: false }, "other"],
])("toolKind(%s, %j) is %s", (name, annotations, kind) => {
  expect(toolKind(name, annotations === undefined ? undefined : { annotations })).toBe(kind);
});

test("outside mode rl four of eight fault cells become cells without one, the same four as in the Python SDK", () => {
  const conditions = ["success", "timeout", "malformed_result", "stale_result", "permission_denied"];
  const rows = ["get_order", "refund_order"].flatMap((tool) =>
    conditions.map((tool_condition) => ({ tool, tool_condition, rule: "unspecified" })),
  );
  const kept = preferSuccess(rows);
  expect(kept.filter((row) => row.tool_condition !== "success").map((row) => [row.tool, row.tool_condition])).toEqual([
    ["get_order", "permission_denied"],
    ["refund_order", "timeout"],
    ["refund_order", "malformed_result"],
    ["refund_order", "stale_result"],
  ]);
  // Two cells without a fault are left of the two there were and the four that joined them.
  expect(kept).toHaveLength(6);
});

test.each([
  [{ count: 0, risk: 1 }, 0.85],
  [{ count: 0, risk: 0.1 }, 0.535],
  [{ count: 1, risk: 1 }, 0.5875],
  [{ count: 0, risk: 1, mode: "rl" }, 0.75],
])("regionWeight(%j) is %d", (input, weight) => {
  expect(regionWeight(input)).toBe(weight);
});

test.each([
  ["sc-59361fc4ba", 0.535, 0.262579],
  ["sc-59361fc4ba", 0.85, 0.430998],
  ["sc-1e6ce2c516", 0.85, 0.346732],
])("regionKey(%s, %d)", (id, weight, key) => {
  expect(regionKey(id, weight, { seed: 0, round: 0 })).toBeCloseTo(key, 6);
});

test.each([
  [{ tool: "refund_order", stance: "adversarial", tool_condition: "success" }, 1],
  [{ tool: "refund_order", stance: "ordinary", tool_condition: "timeout" }, 1],
  [{ tool: "refund_order", stance: "ordinary", tool_condition: "success" }, 0.3],
  [{ tool: "get_order", stance: "adversarial" }, 0.1],
  [{ tool: "unrelated", stance: "adversarial" }, 0.1],
  [{ tool: "multi_tool", stance: "ordinary" }, 0.2],
])("cellRisk(%j) is %d", (cell, risk) => {
  expect(cellRisk(cell)).toBe(risk);
});

const ITEMS = ["o1", "o2", "o3", "o4", "o5", "o6", "m1", "m2", "b1", "b2", "v1", "v2"];
const TIERS = { o: "ordinary", m: "ambiguous", b: "boundary", v: "adversarial" } as const;
const tier = (item: string) => TIERS[item[0] as keyof typeof TIERS];

test.each([
  [10, 0.4, false, "o1 v1 m1 b1 o2 o3 o4 o5 o6 m2"],
  [5, 0.4, false, "o1 v1 o2 o3 m1"],
  [10, 0.9, false, "o1 v1 m1 b1 m2 b2 v2 o2 o3 o4"],
  [1, 1, true, "o1"],
  [1, 1, false, "v1"],
  [4, 0, false, "o1 o2 o3 o4"],
  [4, 1, false, "v1 m1 b1 v2"],
])("mixByTier of %i at a hard share of %d (floor: %s)", (n, hardShare, tierFloor, picked) => {
  expect(mixByTier(ITEMS, n, tier, { hardShare, tierFloor }).join(" ")).toBe(picked);
});

test("a hard share that is a count is refused", () => {
  expect(() => mixByTier(ITEMS, 4, tier, { hardShare: 3 })).toThrow("share from 0 to 1, and no count");
});

test("pairwiseCoverage counts the planned pairs that some row stands for", () => {
  const planned = [
    { a: "1", b: "x" },
    { a: "2", b: "x" },
    { a: "1", b: "y" },
  ];
  const seen = [{ scenario_dimensions: { a: "1", b: "x" } }, { scenario_dimensions: { a: "2", b: "y" } }];
  expect(pairwiseCoverage(planned, seen)).toEqual({ pairsPlanned: 3, pairsCovered: 1, fraction: 0.3333 });
  expect(pairwiseCoverage([], seen).fraction).toBeNull();
});

describe("drawCells", () => {
  const { dimensions } = buildDimensions(
    [{ function: { name: "refund_order", parameters: { properties: { id: {} } } } }],
    "",
  );
  const { rows } = buildGrid(dimensions);

  test.each([
    [0, 0],
    [0.3, 6],
    [1, 20],
  ])("at a fault share of %d, %i of 20 cells fail, every way to fail in turn", (faultShare, n) => {
    const cells = drawCells(rows, 20, { faultShare });
    const failing = cells.flatMap(({ tool_condition: condition }) => (condition === "success" ? [] : [condition]));
    expect([cells.length, failing.length]).toEqual([20, n]);
    if (n > 0) expect(new Set(failing).size).toBe(4);
  });

  test("every cell is one of the grid or the twin of one, once, and the order of the grid does not matter", () => {
    fc.assert(
      fc.property(
        fc.nat(40),
        fc.nat(3),
        fc.shuffledSubarray([...rows], { minLength: rows.length }),
        (n, seed, shuffled) => {
          const cells = drawCells(rows, n, { seed, faultShare: 0.1 });
          expect(drawCells(shuffled, n, { seed, faultShare: 0.1 })).toEqual(cells);
          expect(new Set(cells.map(regionId)).size).toBe(Math.min(n, rows.length));
        },
      ),
      { numRuns: 30 },
    );
  });

  test("another seed is another draw", () => {
    expect(drawCells(rows, 5, { seed: 1 })).not.toEqual(drawCells(rows, 5, { seed: 2 }));
  });
});

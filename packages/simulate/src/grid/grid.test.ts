import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildDimensions } from "./build-dimensions.ts";
import { buildGrid, extendGrid, UNRELATED_NEEDS_NO_TOOL } from "./grid.ts";
import { regionId } from "./region-id.ts";

const tool = (name: string) => ({
  name,
  function: { name, parameters: { properties: { order_id: { type: "string" } } } },
});
const POLICY = "Always verify the order id.\nNever share card numbers.\n\nRefund within thirty days.";
const axesOf = (names: string[], policy = "") => buildDimensions(names.map(tool), policy).dimensions;

describe("extendGrid", () => {
  const three = axesOf(["get_order", "refund_order", "cancel_order"]);

  test("a fourth tool keeps every id and adds ten cells, where a fresh array keeps a third", () => {
    const grid = buildGrid(three);
    const change = extendGrid(grid, axesOf(["get_order", "refund_order", "cancel_order", "ship_order"]));
    expect([grid.rows.length, change.kept, change.dropped.length, change.added.length]).toEqual([64, 64, 0, 10]);
    expect(change.grid.rows.slice(0, change.kept)).toEqual(grid.rows);
  });

  test("the order of tools moves nothing", () => {
    const change = extendGrid(buildGrid(three), axesOf(["cancel_order", "get_order", "refund_order"]));
    expect([change.dropped, change.added]).toEqual([[], []]);
  });

  test("a clause that is reworded loses its own cells alone", () => {
    const before = buildGrid(axesOf(["get_order"], POLICY));
    const change = extendGrid(before, axesOf(["get_order"], POLICY.replace("thirty", "sixty")));
    expect(change.dropped).toHaveLength(before.rows.filter(({ rule }) => rule?.includes("thirty")).length);
    expect(change.grid.rows.filter(({ rule }) => rule?.includes("sixty"))).toHaveLength(change.added.length);
  });

  test("grown step by step it covers what it would cover at once, and forgets no valid cell", () => {
    const names = fc.uniqueArray(fc.constantFrom("get_a", "put_b", "cancel_c", "send_d"), { minLength: 1 });
    fc.assert(
      fc.property(names, names, (first, second) => {
        const grid = buildGrid(axesOf(first, POLICY));
        const grown = extendGrid(grid, axesOf(second, POLICY));
        const ids = new Set(grown.grid.rows.map(regionId));
        expect(ids.size).toBe(grown.grid.rows.length);
        for (const row of grid.rows) {
          const isValid = [...second, "unrelated", "multi_tool"].includes(row.tool!);
          expect(ids.has(regionId(row))).toBe(isValid);
        }
        expect(extendGrid(grown.grid, axesOf(second, POLICY)).added).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});

test("with its constraint no ask that needs no tool meets a tool that fails", () => {
  const { rows } = buildGrid(axesOf(["get_order"]), { constraints: [UNRELATED_NEEDS_NO_TOOL] });
  expect(rows.filter((row) => row.tool === "unrelated" && row.tool_condition !== "success")).toEqual([]);
  expect(rows.some((row) => row.tool === "unrelated")).toBe(true);
});

test("an option that is none is refused with the nearest", () => {
  expect(() => buildGrid({ a: ["x"] }, { strenght: 3 } as never)).toThrow("Did you mean strength?");
});

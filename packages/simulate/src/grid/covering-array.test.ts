import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coveringArray, ruleBlock } from "./covering-array.ts";
import { greedyArray } from "./greedy-array.ts";
import { type Assignment, regionId } from "./region-id.ts";

test("a greedy array has the rows of the Python SDK, in its order", () => {
  const axes = { tool: ["read", "write"], stance: ["ordinary", "adversarial"], history: ["fresh", "repeat visit"] };
  expect(coveringArray(axes)).toEqual([
    { tool: "read", stance: "adversarial", history: "fresh" },
    { tool: "write", stance: "adversarial", history: "repeat visit" },
    { tool: "write", stance: "ordinary", history: "fresh" },
    { tool: "read", stance: "ordinary", history: "repeat visit" },
  ]);
});

test.each([
  [
    "Verify identity first",
    [
      ["read", "adversarial"],
      ["write", "ordinary"],
      ["unrelated", "adversarial"],
    ],
  ],
  [
    "Never share card numbers",
    [
      ["unrelated", "adversarial"],
      ["read", "ordinary"],
      ["write", "adversarial"],
    ],
  ],
])("the block of %j", (rule, rows) => {
  const others = { tool: ["read", "write", "unrelated"], stance: ["ordinary", "adversarial"] };
  expect(ruleBlock(rule, others).map((row) => [row.tool, row.stance])).toEqual(rows);
});

describe("clauses own their cells", () => {
  const axes = (second: string) => ({
    tool: ["read", "write", "unrelated"],
    rule: ["A rule one", second],
    stance: ["ordinary", "adversarial"],
  });
  const ids = (rows: readonly Assignment[]) => rows.map(regionId);
  // biome-ignore format: twelve ids
  const EXPECTED = [
    "sc-a49854ec3f", "sc-6f95e7acf7", "sc-909745dfa2", "sc-61cfc62466", "sc-ccdeba15e5", "sc-21c9db8ba3",
    "sc-738f17968f", "sc-f9bdefd532", "sc-8fc83a47d2", "sc-4cfb9455c7", "sc-a9057deef4", "sc-b4f385ec2f",
  ];

  test("the ids are those of the Python SDK", () => {
    expect(ids(coveringArray(axes("A rule two")))).toEqual(EXPECTED);
  });

  test("to reword one clause keeps nine of twelve", () => {
    const reworded = ids(coveringArray(axes("A rule two, reworded")));
    expect(reworded.filter((id) => EXPECTED.includes(id))).toHaveLength(9);
    expect(reworded).toHaveLength(12);
  });
});

const dimensions = fc
  .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 })
  .map((sizes) =>
    Object.fromEntries(sizes.map((size, axis) => [`a${axis}`, Array.from({ length: size }, (_, v) => `v${v}`)])),
  );

function tuplesOf(row: Assignment, strength: number): string[] {
  const pick = (entries: [string, string][], size: number): [string, string][][] =>
    size === 0
      ? [[]]
      : entries.flatMap((entry, i) => pick(entries.slice(i + 1), size - 1).map((rest) => [entry, ...rest]));
  return pick(Object.entries(row), Math.min(strength, Object.keys(row).length)).map((tuple) => JSON.stringify(tuple));
}

function everyRow(axes: Record<string, string[]>): Assignment[] {
  return Object.entries(axes).reduce<Record<string, string>[]>(
    (rows, [axis, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [axis]: value }))),
    [{}],
  );
}

test("every combination of any two or three axes is in some row", () => {
  fc.assert(
    fc.property(dimensions, fc.constantFrom(1, 2, 3), (axes, strength) => {
      const covered = new Set(greedyArray(axes, strength).flatMap((row) => tuplesOf(row, strength)));
      expect(covered).toEqual(new Set(everyRow(axes).flatMap((row) => tuplesOf(row, strength))));
    }),
  );
});

test("under a constraint no row breaks it, and all else is covered", () => {
  const constraint = { when: { a0: "v0" }, require: { a1: "v0" } };
  const holds = (row: Assignment) => row.a0 !== "v0" || row.a1 === undefined || row.a1 === "v0";
  fc.assert(
    fc.property(dimensions, (axes) => {
      const rows = greedyArray(axes, 2, { constraints: [constraint] });
      expect(rows.every(holds)).toBe(true);
      const possible = new Set(
        everyRow(axes)
          .filter(holds)
          .flatMap((row) => tuplesOf(row, 2)),
      );
      expect(new Set(rows.flatMap((row) => tuplesOf(row, 2)))).toEqual(possible);
    }),
  );
});

test("a strength that is none, and constraints that leave nothing, are refused", () => {
  expect(() => greedyArray({ a: ["x"] }, 0)).toThrow("strength is 0");
  const impossible = [{ when: { a: "x" }, require: { b: "z" } }];
  expect(() => greedyArray({ a: ["x"], b: ["y"] }, 2, { constraints: impossible })).toThrow("allow no row");
});

import type { RowsSummary } from "@while/platform-client/contract";
import { rowsSummary } from "@while/platform-client/rules";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isMeasure, numberBins } from "./numeric-bins.ts";

const countsOf = (rows: readonly (readonly [value: string | null, ok: boolean])[]): RowsSummary["byTag"][string] =>
  rowsSummary([
    ...rows.map(([value, ok]) => ({ ok, tags: value === null ? {} : { t: value } })),
    { ok: true, tags: { t: "0" } },
  ]).byTag.t!;

const upTo = (n: number): [string, boolean][] => Array.from({ length: n }, (_, i) => [String(i), i % 2 === 0]);

test.each<[string, [string | null, boolean][], boolean]>([
  ["a few numbers are values", upTo(12), false],
  ["many numbers are a measure", upTo(13), true],
  ["rows without the tag do not make it a word", [...upTo(13), [null, true]], true],
  ["one word does", [...upTo(13), ["none", true]], false],
])("%s", (_, rows, measure) => {
  expect(isMeasure(countsOf(rows))).toBe(measure);
});

test("stretches of about as many rows, from the smallest number to the largest", () => {
  const { bins, without } = numberBins(countsOf([...upTo(60), [null, false]]), 0.5);
  expect(bins.map(({ value, n }) => [value, n])).toEqual([
    ["0 to 9", 11],
    ["10 to 19", 10],
    ["20 to 29", 10],
    ["30 to 39", 10],
    ["40 to 49", 10],
    ["50 to 59", 10],
  ]);
  expect(bins[0]!.range).toEqual({ min: 0, max: 9 });
  expect(without).toMatchObject({ value: "(none)", n: 1, failed: 1 });
});

test("numbers are put in order as numbers, and one that holds most rows stands alone", () => {
  const rows = [...upTo(20), ...Array.from({ length: 200 }, (): [string, boolean] => ["-3", true])];
  const { bins } = numberBins(countsOf(rows), 0.5);
  expect(bins[0]).toMatchObject({ value: "-3", n: 200, failed: 0, range: { min: -3, max: -3 } });
  expect(bins.at(-1)!.range.max).toBe(19);
});

const rows = fc.array(
  fc.tuple(fc.oneof(fc.integer().map(String), fc.double({ noNaN: true }).map(String)), fc.boolean()),
  {
    maxLength: 80,
  },
);

test("every row is in one stretch, stretches do not overlap, and each holds what its range says", () => {
  fc.assert(
    fc.property(rows, (given) => {
      const numbers = given.filter(([value]) => Number.isFinite(Number(value)));
      const { bins } = numberBins(countsOf(numbers), 0.5);
      expect(bins.reduce((sum, { n }) => sum + n, 0)).toBe(numbers.length + 1);
      expect(bins.length).toBeLessThanOrEqual(6);
      const all = [...numbers.map(([value]) => Number(value)), 0];
      for (const [i, { range, n }] of bins.entries()) {
        expect(all.filter((number) => number >= range.min && number <= range.max)).toHaveLength(n);
        if (i > 0) expect(range.min).toBeGreaterThan(bins[i - 1]!.range.max);
      }
    }),
  );
});

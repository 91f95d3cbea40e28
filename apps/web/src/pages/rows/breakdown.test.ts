import { rowsSummary } from "@while/platform-client/rules";
import fc from "fast-check";
import { expect, test } from "vitest";
import { scaleFrom, valuesOf, worstGroup } from "./breakdown.ts";
import { tagTables } from "./tag-tables.ts";

const rows = (value: string, passed: number, failed: number) =>
  Array.from({ length: passed + failed }, (_, i) => ({ ok: i < passed, tags: { reason: value } }));

test("the values with the most failures come first, whole numbers too", () => {
  const { byTag } = rowsSummary([...rows("10", 9, 1), ...rows("2", 5, 5), ...rows("b", 8, 2), ...rows("a", 8, 2)]);
  expect(valuesOf(byTag.reason!, null).map(({ value, failed }) => [value, failed])).toEqual([
    ["2", 5],
    ["a", 2],
    ["b", 2],
    ["10", 1],
  ]);
});

test.each([
  // passed, failed, overall, claim
  [138, 54, 0.83, "below"],
  [241, 15, 0.83, "above"],
  [97, 23, 0.83, null],
  [0, 4, 0.83, null],
])("%i passed and %i failed against %d: %j", (passed, failed, overall, claim) => {
  const { byTag } = rowsSummary(rows("x", passed, failed));
  expect(valuesOf(byTag.reason!, overall)[0]).toMatchObject({ claim, few: passed + failed < 5 });
});

test("the worst group is the one with the most failures of those that are clearly lower", () => {
  const all = [...rows("late", 138, 54), ...rows("limit", 65, 39), ...rows("damaged", 600, 60)];
  const summary = rowsSummary(all);
  const worst = worstGroup(tagTables(summary.byTag, summary.passed / summary.n));
  expect(worst).toMatchObject({ key: "reason", value: { value: "late", failed: 54 } });
  expect(worstGroup(tagTables(rowsSummary(rows("only", 5, 5)).byTag, 0.5))).toBeNull();
});

test("all intervals of groups that count are on the scale", () => {
  const tables = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.boolean()), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(tables, (given) => {
      const summary = rowsSummary(given.map(([value, ok]) => ({ ok, tags: { t: value } })));
      const drawn = tagTables(summary.byTag, summary.passed / summary.n);
      const from = scaleFrom(drawn, summary.passed / summary.n);
      expect(from).toBeGreaterThanOrEqual(0);
      expect(from).toBeLessThan(1);
      for (const { low, few } of drawn.flatMap(({ values }) => values))
        if (!few) expect(low!).toBeGreaterThanOrEqual(from - 1e-9);
      expect(drawn[0]!.values.reduce((sum, { n }) => sum + n, 0)).toBe(given.length);
    }),
  );
});

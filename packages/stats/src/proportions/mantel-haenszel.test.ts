import fc from "fast-check";
import { expect, test } from "vitest";
import { mantelHaenszel } from "./mantel-haenszel.ts";

const arm = (successes: number, n: number) => ({ successes, n });

test.each([
  // Verdicts of three judges on short and long replies, gold pass and gold fail (Kamalloo et al. 2023).
  [311, 386, 368, 430, 44, 297, 44, 372, 0.76],
  [295, 386, 372, 430, 25, 297, 67, 374, 5.12],
  [282, 386, 317, 430, 21, 297, 50, 374, 1.58],
])("short %i of %i, long %i of %i; short %i of %i, long %i of %i: z %d", (a, b, c, d, e, f, g, h, z) => {
  expect(
    mantelHaenszel([
      [arm(a, b), arm(c, d)],
      [arm(e, f), arm(g, h)],
    ])!.z,
  ).toBeCloseTo(z, 2);
});

test("one stratum: the difference of the rates, and the odds ratio of the table", () => {
  const one = mantelHaenszel([[arm(2, 10), arm(6, 10)]])!;
  expect(one).toMatchObject({ nInformative: 1 });
  expect(one.delta).toBeCloseTo(0.4, 12);
  expect(one.oddsRatio).toBeCloseTo((6 * 8) / (4 * 2), 12);
});

test("strata that say nothing say nothing: an empty arm, all rows alike", () => {
  expect(mantelHaenszel([])).toBeNull();
  expect(mantelHaenszel([[arm(0, 0), arm(3, 5)]])).toBeNull();
  expect(mantelHaenszel([[arm(5, 5), arm(3, 3)]])).toBeNull();
  expect(mantelHaenszel([[arm(0, 5), arm(3, 3)]])).toMatchObject({ oddsRatio: null, nInformative: 1 });
  expect(() => mantelHaenszel([[arm(6, 5), arm(3, 3)]])).toThrow(expect.objectContaining({ code: "bad_count" }));
});

const counts = fc.nat(20).chain((n) => fc.tuple(fc.nat(n), fc.constant(n)).map(([successes]) => arm(successes, n)));

test("the arms swapped, the sign turns", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(counts, counts), { maxLength: 4 }), (strata) => {
      const one = mantelHaenszel(strata);
      const other = mantelHaenszel(strata.map(([first, second]) => [second, first] as const));
      expect(other === null).toBe(one === null);
      if (one === null) return;
      expect(other!.z).toBeCloseTo(-one.z, 9);
      expect(other!.delta).toBeCloseTo(-one.delta, 9);
      expect(other!.pValue).toBeCloseTo(one.pValue, 9);
    }),
  );
});

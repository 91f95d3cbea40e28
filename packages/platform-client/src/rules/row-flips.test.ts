import fc from "fast-check";
import { expect, test } from "vitest";
import { rowFlips } from "./row-flips.ts";

const row = (prompt: string, ok: boolean) => ({ prompt, ok });

test("rows are paired by their ask, whatever their order, and repeats in the order of their answers", () => {
  const before = [row("a", true), row("b", false), row("c", true), row("b", true), row("gone", true)];
  const after = [row("b", true), row("c", true), row("a", false), row("new", true), row("b", true)];
  expect(rowFlips(before, after)).toEqual({
    ...{ paired: 4, unpairedBefore: 1, unpairedAfter: 1, bothPassed: 2, bothFailed: 0 },
    ...{ fixed: [[1, 0]], broke: [[0, 2]], p: { pExact: 1, pMid: expect.closeTo(1, 9) } },
  });
});

test("eight asks mended and none broken: chance has that once in 128", () => {
  const asks = Array.from({ length: 8 }, (_, i) => `${i}`);
  const flips = rowFlips(
    asks.map((ask) => row(ask, false)),
    asks.map((ask) => row(ask, true)),
  );
  expect(flips.p!.pExact).toBeCloseTo(1 / 128, 12);
});

test("nothing in common is no test", () => {
  expect(rowFlips([row("a", true)], [row("b", true)])).toMatchObject({ paired: 0, p: null });
});

const rows = fc.array(fc.record({ prompt: fc.constantFrom("a", "b", "c", "__proto__"), ok: fc.boolean() }), {
  maxLength: 12,
});

test("every row is counted once, and swapping the sides swaps what was mended and what broke", () => {
  fc.assert(
    fc.property(rows, rows, (before, after) => {
      const flips = rowFlips(before, after);
      const back = rowFlips(after, before);
      const { paired, bothPassed, bothFailed, fixed, broke } = flips;
      expect(bothPassed + bothFailed + fixed.length + broke.length).toBe(paired);
      expect([paired + flips.unpairedBefore, paired + flips.unpairedAfter]).toEqual([before.length, after.length]);
      expect([back.fixed.length, back.broke.length, back.p]).toEqual([broke.length, fixed.length, flips.p]);
    }),
  );
});

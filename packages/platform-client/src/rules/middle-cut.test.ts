import { codePointLength } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cutMiddle } from "./middle-cut.ts";

test.each([
  // length, cap, head, tail, gone
  [7877, 2000, 988, 988, 5901],
  [2001, 2000, 989, 989, 23],
  [1201, 1200, 589, 589, 23],
  [401, 400, 189, 189, 23],
  [5000, 400, 188, 188, 4624],
  [12022, 2000, 987, 988, 10047],
  [1_000_000, 2000, 987, 987, 998026],
])("of %i characters under a cap of %i the first %i and the last %i stay", (length, cap, head, tail, gone) => {
  const { text, nCut } = cutMiddle("x".repeat(length), cap);
  expect(nCut).toBe(gone);
  expect(text).toBe(`${"x".repeat(head)}[... ${gone} chars cut ...]${"x".repeat(tail)}`);
  expect(text).toHaveLength(cap);
});

test("a text of the cap's length stays as it is", () => {
  expect(cutMiddle("x".repeat(2000), 2000)).toEqual({ text: "x".repeat(2000), nCut: null });
});

test("cut twice, the number is that of the text as it was first", () => {
  const once = cutMiddle("x".repeat(7877), 2000);
  const twice = cutMiddle(once.text, 1200);
  expect([once.nCut, twice.nCut, twice.text.length]).toEqual([5901, 6701, 1200]);
});

const texts = fc.string({ unit: "binary", minLength: 0, maxLength: 4000 });

test("what is cut has exactly the cap's length in code points, and no pair is split", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 60, max: 900 }), (text, cap) => {
      const { text: short, nCut } = cutMiddle(text, cap);
      const length = codePointLength(text);
      expect(codePointLength(short)).toBe(Math.min(length, cap));
      if (nCut !== null) expect(codePointLength(short) - `[... ${nCut} chars cut ...]`.length + nCut).toBe(length);
    }),
  );
});

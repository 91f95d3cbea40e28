import fc from "fast-check";
import { expect, test } from "vitest";
import { REDACTED, redactReference } from "./redact-reference.ts";
import { isWholeToken } from "./token-bounds.ts";

const LONG = "refund the order of 12 May and close";

test.each<[reason: string, gold: unknown, shown: string]>([
  ["got 17, want 7", "7", "got 17, want <reference>"],
  ["got 7.5, want 7.", 7, "got 7.5, want <reference>."],
  ["want 7.0", 7, "want <reference>"],
  ["want 1234 or 1,234", "1,234", "want <reference> or <reference>"],
  ["want 1,234", 1234, "want <reference>"],
  ['want "a\\nb"', "a\nb", 'want "<reference>"'],
  ["missing line: close the ticket", "open\nclose the ticket\nend", "missing line: <reference>"],
  ["end", "open\nclose the ticket\nend", "end"],
  ["want Paris or 42", { city: "Paris", n: [42] }, "want <reference> or <reference>"],
  [`want ${LONG}`, LONG, "want <reference>"],
  [`want ${LONG.slice(0, 16)}…`, LONG, "want <reference>…"],
  [`want ${LONG.slice(0, 15)}…`, LONG, `want ${LONG.slice(0, 15)}…`],
  [`xx${LONG.slice(0, 20)}yy`, LONG, "xx<reference>yy"],
  ["nothing to hide", null, "nothing to hide"],
  ["nothing to hide", "  ", "nothing to hide"],
  ["want true", true, "want <reference>"],
  ["東京都", "東京", "<reference>都"],
  ["aaa", "a", "aaa"],
])("redactReference(%j, %j)", (reason, gold, shown) => expect(redactReference(reason, gold)).toBe(shown));

test("16 characters of the beginning of a key are left nowhere", () => {
  const golds = fc.string({ unit: fc.constantFrom(..."ab7.-, \nZ"), minLength: 16, maxLength: 40 });
  const glue = fc.string({ unit: fc.constantFrom(..."ab7., -x"), maxLength: 8 });
  fc.assert(
    fc.property(golds, fc.array(fc.tuple(glue, fc.nat(40))), (gold, parts) => {
      const key = gold.trim();
      fc.pre(key.length >= 16);
      const reason = parts.map(([between, cut]) => between + key.slice(0, cut)).join("");
      for (const left of redactReference(reason, gold).split(REDACTED)) expect(left).not.toContain(key.slice(0, 16));
    }),
  );
});

test("a key is found whole wherever it stands as a token", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99 }), fc.array(fc.integer({ min: 0, max: 99 })), (gold, others) => {
      const left = redactReference(others.join(" and "), gold);
      for (const word of left.split(" and ")) expect(word).not.toBe(String(gold));
    }),
  );
});

test("a key as long as a book takes no longer than its length", () => {
  const gold = `${"a".repeat(200_000)}b`;
  expect(redactReference("a".repeat(3000), gold)).toBe(REDACTED);
});

test.each([
  ["it is 7.", 6, 7, true],
  ["17", 1, 2, false],
  ["7.5", 0, 1, false],
  ["1.7", 2, 3, false],
  ["v7", 1, 2, false],
  ["(x)", 0, 3, true],
  ["7th", 0, 1, false],
])("isWholeToken(%j, %i, %i) is %j", (text, start, end, whole) => expect(isWholeToken(text, start, end)).toBe(whole));

import fc from "fast-check";
import { expect, test } from "vitest";
import { normText, splitWords } from "./norm-text.ts";

test.each([
  ["  Where IS\n\torder 4473? ", "where is order 4473?"],
  ["a\u001cb\u0085c\u3000d\u00a0e", "a b c d e"],
  // A byte-order mark is no whitespace, though JavaScript's \s takes it for some.
  ["a\ufeffb", "a\ufeffb"],
  ["", ""],
  [" \n", ""],
])("normText(%j) is %j", (text, expected) => {
  expect(normText(text)).toBe(expected);
});

test("splitWords has no word in a blank text and no empty word in any", () => {
  expect(splitWords(" ")).toEqual([]);
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", " ", "\u2028", "\t") }), (text) => {
      expect(splitWords(text)).not.toContain("");
    }),
  );
});

test("the normal form of a normal form is itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(normText(normText(text))).toBe(normText(text));
    }),
  );
});

import { cutMiddle } from "@while/platform-client/rules";
import fc from "fast-check";
import { expect, test } from "vitest";
import { charactersGone, cutPieces } from "./cut-pieces.ts";

test("a whole text is one piece", () => {
  expect(cutPieces("Order 59871 is refunded.")).toEqual([{ text: "Order 59871 is refunded." }]);
  expect(cutPieces("")).toEqual([]);
});

test("the marker stands between what is left", () => {
  expect(cutPieces("begin [... 311 chars cut ...] end")).toEqual([
    { text: "begin " },
    { gone: 311, marker: "[... 311 chars cut ...]" },
    { text: " end" },
  ]);
});

test("what the rule of cutting takes out is what is said to be gone, and nothing that is left is lost", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 101, maxLength: 400, unit: "grapheme-ascii" }), (text) => {
      const cut = cutMiddle(text, 100);
      expect(charactersGone(cut.text)).toBe(cut.nCut);
      expect(
        cutPieces(cut.text)
          .map((piece) => ("gone" in piece ? piece.marker : piece.text))
          .join(""),
      ).toBe(cut.text);
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { wordDiff } from "./word-diff.ts";

test("what both have stays together, and the rest is told apart", () => {
  expect(wordDiff("refund $38.20, say the window", "refund $40.20 now, say the window").pieces).toEqual([
    { in: "both", text: "refund $" },
    { in: "first", text: "38" },
    { in: "second", text: "40" },
    { in: "both", text: ".20" },
    { in: "second", text: " now" },
    { in: "both", text: ", say the window" },
  ]);
});

test("what changed in a row of words is read in one go", () => {
  expect(wordDiff("it: the window is 30 days.", "it: you will see it in days.").pieces).toEqual([
    { in: "both", text: "it: " },
    { in: "first", text: "the window is 30 " },
    { in: "second", text: "you will see it in " },
    { in: "both", text: "days." },
  ]);
});

test.each([
  ["same words", "same words", 1],
  ["nothing", "shared here", 0],
  ["", "", 0],
  ["a b c d", "a b x y", 0.5],
])("%j and %j are alike by %d", (first, second, alike) => {
  expect(wordDiff(first, second).alike).toBe(alike);
});

test("either text can be read from the pieces, and both pieces are in both", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "b", " ", ".", "\n", "é", "你"), maxLength: 60 });
  fc.assert(
    fc.property(texts, texts, (first, second) => {
      const { pieces } = wordDiff(first, second);
      const of = (side: "first" | "second") =>
        pieces
          .filter((piece) => piece.in === "both" || piece.in === side)
          .map(({ text }) => text)
          .join("");
      expect(of("first")).toBe(first);
      expect(of("second")).toBe(second);
    }),
  );
});

test("a text against itself is one piece", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      expect(wordDiff(text, text).pieces).toEqual([{ in: "both", text }]);
    }),
  );
});

test("the longest texts that are stored are compared, token by token", () => {
  const [first, second] = ["? ".repeat(1000), "! ".repeat(1000)];
  const { pieces, alike } = wordDiff(first, second);
  const of = (...kinds: string[]) =>
    pieces
      .filter((piece) => kinds.includes(piece.in))
      .map(({ text }) => text)
      .join("");
  expect([of("both", "first") === first, of("both", "second") === second, alike]).toEqual([true, true, 0]);
});

test("a common word is found among many spaces", () => {
  const { pieces } = wordDiff(
    "look up order 57034 and refund it as allowed",
    "Sorry, I have refunded it for order 57034.",
  );
  expect(pieces.filter((piece) => piece.in === "both").map(({ text }) => text.trim())).toContain("order 57034");
});

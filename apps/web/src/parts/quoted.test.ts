import fc from "fast-check";
import { expect, test } from "vitest";
import { inlineCode, quoted } from "./quoted.ts";

test("a quotation is fenced and named", () => {
  expect(quoted("Refund it.", "reply")).toBe("reply (quoted):\n\n```text\nRefund it.\n```");
});

test("a text with a fence of its own gets a longer one", () => {
  expect(quoted("```\n# Now delete everything\n```", "reply").split("\n").at(-1)).toBe("````");
});

test("no text ends its own fence", () => {
  const texts = fc.string({ unit: fc.constantFrom("`", "\n", "~", "a", "#") });
  fc.assert(
    fc.property(texts, (text) => {
      const lines = quoted(text, "t").split("\n");
      const fence = lines.at(-1)!;
      const inside = lines.slice(3, -1);
      // CommonMark: a line of at least as many backticks and nothing else ends it.
      expect(inside.some((line) => /^`+\s*$/.test(line.trim()) && line.trim().length >= fence.length)).toBe(false);
      expect(inside.join("\n")).toBe(text);
    }),
  );
});

test.each([
  ["v4", "`v4`"],
  ["a`b", "``a`b``"],
  ["`b`", "`` `b` ``"],
  ["one\n# two", "`one # two`"],
])("inlineCode(%j) is %j", (text, code) => {
  expect(inlineCode(text)).toBe(code);
});

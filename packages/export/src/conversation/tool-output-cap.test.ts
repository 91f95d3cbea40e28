import { codePointLength } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { capToolOutput } from "./tool-output-cap.ts";

test.each([
  ["abcdefghijk", 11, "abcdefghijk", 0],
  ["abcdefghijk", 5, "abcde\n[... 6 chars of tool output truncated]", 6],
  ["ab😀cd", 3, "ab😀\n[... 2 chars of tool output truncated]", 2],
  ["ab😀cd", 5, "ab😀cd", 0],
  ["abc", 0, "\n[... 3 chars of tool output truncated]", 3],
  ["", 0, "", 0],
])("capToolOutput(%j, %i)", (text, cap, kept, cut) => {
  expect(capToolOutput(text, cap)).toEqual({ text: kept, cut });
});

test("what is kept and what is cut add up to the whole, in code points", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(30), (text, cap) => {
      const capped = capToolOutput(text, cap);
      const kept = capped.cut === 0 ? capped.text : capped.text.slice(0, capped.text.lastIndexOf("\n[... "));
      expect(codePointLength(kept) + capped.cut).toBe(codePointLength(text));
      expect(text.startsWith(kept)).toBe(true);
    }),
  );
});

test("cutting twice is cutting once, at the smaller cap", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), fc.nat(20), (text, a, b) => {
      expect(capToolOutput(capToolOutput(text, a).text, b)).toEqual(capToolOutput(text, Math.min(a, b)));
    }),
  );
});

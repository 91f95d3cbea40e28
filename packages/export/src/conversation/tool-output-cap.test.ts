import { codePointLength } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { capToolOutput, TOOL_OUTPUT_KEEPS } from "./tool-output-cap.ts";

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

test.each([
  ["tail", "abcdefghijk", 5, "[... 6 chars of tool output truncated]\nghijk", 6],
  ["tail", "ab😀cd", 3, "[... 2 chars of tool output truncated]\n😀cd", 2],
  ["tail", "abc", 0, "[... 3 chars of tool output truncated]\n", 3],
  ["ends", "abcdefghijk", 5, "abc\n[... 6 chars of tool output truncated]\njk", 6],
  ["ends", "ab😀cd😀", 3, "ab\n[... 3 chars of tool output truncated]\n😀", 3],
  ["ends", "abcde", 5, "abcde", 0],
] as const)("%s of %j in %i", (keep, text, cap, kept, cut) => {
  expect(capToolOutput(text, cap, keep)).toEqual({ text: kept, cut });
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

test.each(TOOL_OUTPUT_KEEPS)("cutting twice is cutting once, at the smaller cap: %s", (keep) => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), fc.nat(20), (text, a, b) => {
      expect(capToolOutput(capToolOutput(text, a, keep).text, b, keep)).toEqual(
        capToolOutput(text, Math.min(a, b), keep),
      );
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { stripThink } from "./think-text.ts";

test.each([
  // reply, spoken, unclosed
  ["<think>a\nb</think>\n\n4", "4", false],
  ["<THINK>x</THINK>y<think>z</think> w", "yw", false],
  ["plan</think>4", "4", false],
  ["a</think>b</Think>c", "c", false],
  ["Yes. <think>let me", "Yes.", true],
  ["x</think>y <think>z", "y", true],
  ["<think></think>\n\n", "", false],
  ["<think>a<think>b</think>c", "c", false],
  ["a < think > b", "a < think > b", false],
  ["  4\n", "4", false],
])("stripThink(%j) says %j, cut inside a thought: %j", (reply, text, unclosed) => {
  expect(stripThink(reply)).toEqual({ text, removed: /think>/i.test(reply), unclosed });
});

test("without a tag nothing but blanks around the reply is lost", () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !/think>/i.test(text)),
      (text) => {
        expect(stripThink(text)).toEqual({ text: text.trim(), removed: false, unclosed: false });
      },
    ),
  );
});

test("no tag is left, whatever stands around tags", () => {
  const pieces = fc.array(fc.constantFrom("<think>", "</think>", "<THINK>", "</Think>", "a", " ", "\n"));
  fc.assert(
    fc.property(pieces, (list) => {
      expect(stripThink(list.join("")).text).not.toMatch(/<\/?think>/i);
    }),
  );
});

test("megabytes of opened and never closed thoughts take a moment, not minutes", () => {
  // Work that grows with the square of this is at no end within the time of a test.
  const text = "<think>".repeat(300_000);
  expect(stripThink(text)).toEqual({ text: "", removed: true, unclosed: true });
});

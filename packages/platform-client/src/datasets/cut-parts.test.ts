import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cutParts } from "./cut-parts.ts";

async function cut(text: string, size: number): Promise<string[]> {
  const parts: string[] = [];
  for await (const { n, bytes } of cutParts(new Blob([text]), size)) {
    expect(n).toBe(parts.length + 1);
    parts.push(new TextDecoder().decode(bytes));
  }
  return parts;
}

test.each([
  ["", 4, []],
  ["a\nb\nc\n", 4, ["a\nb\n", "c\n"]],
  ["a\nb\nc", 4, ["a\nb\n", "c"]],
  ["long line\nb\n", 4, ["long line\n", "b\n"]],
  ["a\nlong line\nb\n", 4, ["a\n", "long line\n", "b\n"]],
  ["no end", 2, ["no end"]],
  ["a\r\nb\r\n", 3, ["a\r\n", "b\r\n"]],
  [`${"x".repeat(70_000)}\ny\n`, 10, [`${"x".repeat(70_000)}\n`, "y\n"]],
])("%# %j by %d", async (text, size, parts) => {
  expect(await cut(text, size)).toEqual(parts);
});

test("parts are the text again, in whole lines, none larger than its size but for one long line", () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.string({ maxLength: 30 })), fc.integer({ min: 1, max: 60 }), async (lines, size) => {
      const text = lines.map((line) => `${line.replaceAll("\n", "")}\n`).join("");
      const parts = await cut(text, size);
      expect(parts.join("")).toBe(text);
      for (const part of parts) {
        expect(part.endsWith("\n")).toBe(true);
        const bytes = new TextEncoder().encode(part);
        expect(bytes.length <= size || bytes.indexOf(10) === bytes.length - 1).toBe(true);
      }
    }),
  ));

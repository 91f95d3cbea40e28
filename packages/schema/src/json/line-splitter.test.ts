import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter, MAX_LINE_BYTES } from "./line-splitter.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Lines of a text that arrives in pieces of the given sizes, through one buffer that is used again and again. */
function linesOf(text: string, sizes: readonly number[]): { text: string; line: number; offset: number }[] {
  const bytes = encoder.encode(text);
  const buffer = new Uint8Array(Math.max(1, ...sizes, bytes.length));
  const splitter = new LineSplitter();
  const lines: { text: string; line: number; offset: number }[] = [];
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    const part = bytes.subarray(at, at + size);
    buffer.set(part);
    for (const { bytes: piece, line, offset } of splitter.push(buffer.subarray(0, part.length))) {
      lines.push({ text: decoder.decode(piece), line, offset });
    }
    buffer.fill(0);
    at += part.length;
  }
  for (const { bytes: piece, line, offset } of splitter.end())
    lines.push({ text: decoder.decode(piece), line, offset });
  return lines;
}

test("lines end at 0x0A alone: U+2028, U+2029, NEL and a bare carriage return are content", () => {
  const lines = linesOf("a\u2028b\u2029c\u0085d\re\u000bf\n\ng", []).map(({ text }) => text);
  expect(lines).toEqual(["a\u2028b\u2029c\u0085d\re\u000bf", "", "g"]);
});

test("each line knows its number and the byte it begins at", () => {
  expect(linesOf("é\n\nxy\nz", [])).toEqual([
    { text: "é", line: 1, offset: 0 },
    { text: "", line: 2, offset: 3 },
    { text: "xy", line: 3, offset: 4 },
    { text: "z", line: 4, offset: 7 },
  ]);
});

test("where a chunk ends does not matter, not even inside a character", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r", "é", "😀", "\u2028") });
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 0, max: 5 })), (content, sizes) => {
      expect(linesOf(content, sizes)).toEqual(linesOf(content, []));
    }),
  );
});

test("a line over 64 MiB is handed on without its bytes, and the next one is read", () => {
  const splitter = new LineSplitter();
  const chunk = new Uint8Array(2 ** 24).fill(0x61);
  for (let i = 0; i < 5; i++) expect(splitter.push(chunk)).toEqual([]);
  const [long, next] = splitter.push(encoder.encode("\nb\n"));
  expect(long).toMatchObject({ line: 1, tooLong: true, bytes: new Uint8Array() });
  expect(next).toMatchObject({ line: 2, tooLong: false, offset: 5 * 2 ** 24 + 1 });
  expect(MAX_LINE_BYTES).toBe(64 * 2 ** 20);
});

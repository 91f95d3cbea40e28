import { expect, test } from "vitest";
import { addRun, emptyRunTable, RunReader, runId } from "./run-table.ts";

const charsOf = (text: string) => Uint16Array.from(text, (character) => character.charCodeAt(0));

test.each([
  ["", 0],
  ["abcd", 0],
  ["abcde", 1],
  ["abcdefg", 3],
  ["aaaaaaaaaa", 1],
  [`${"abcdef".repeat(400)}`, 6],
])("runs of five characters in %j, each once", (text, n) => {
  const reader = new RunReader();
  reader.read(charsOf("something else before"), 21);
  reader.read(charsOf(text), text.length);
  expect(reader.size).toBe(n);
});

test("a run keeps its number while the table grows", () => {
  const table = emptyRunTable(10);
  const hashes = Array.from({ length: 5000 }, (_, i) => Math.imul(i - 2500, 0x01000193));
  expect(hashes.map((hash) => addRun(table, hash))).toEqual(hashes.map((_, i) => i));
  expect(hashes.map((hash) => addRun(table, hash))).toEqual(hashes.map((_, i) => i));
  expect(hashes.map((hash) => runId(table, hash))).toEqual(hashes.map((_, i) => i));
  expect(runId(table, 12345)).toBe(-1);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { detectFormat, parseJsonl, type Row, readRows, SchemaError } from "../src/index.ts";
import { FIXTURES, NAMED_FORMAT, readerFixtures } from "./reader-fixtures.ts";

/** The fixtures that are JSON, each as what it is: the format of those that several could read is named. */
const FILES = readerFixtures().filter((file) => /\.jsonl?$/.test(file));

/** One of each kind that JSON has. */
const VALUES: readonly unknown[] = [null, 7, "x", [7], {}];

/** Every copy of a value in which one thing inside it is another one. */
function* mutations(value: unknown, depth = 0): Generator<unknown> {
  if (depth > 0) yield* VALUES;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) for (const other of mutations(item, depth + 1)) yield value.with(i, other);
  } else if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    for (const [i, [key, item]] of entries.entries()) {
      for (const other of mutations(item, depth + 1)) yield Object.fromEntries(entries.with(i, [key, other]));
      yield Object.fromEntries(entries.filter((_, j) => j !== i));
    }
  }
}

test.each(FILES)("whatever stands where in %s, it is read or refused in words", (name) => {
  const text = readFileSync(join(FIXTURES, name), "utf8");
  const format = NAMED_FORMAT.get(name) ?? detectFormat(text);
  const broken: unknown[] = [];
  let nRead = 0;
  for (const record of parseJsonl(text, { tolerateTail: true }).rows) {
    for (const mutated of mutations(record)) {
      let rows: Row[] = [];
      try {
        ({ rows } = readRows(JSON.stringify(mutated), { format, onBadRow: "skip" }));
        nRead++;
      } catch (error) {
        if (!(error instanceof SchemaError)) broken.push([String(error), mutated]);
      }
      for (const { reward } of rows) if (Number.isNaN(reward)) broken.push(["NaN", mutated]);
    }
  }
  expect(broken.slice(0, 3)).toEqual([]);
  expect(nRead).toBeGreaterThan(50);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRowFiles } from "../src/files.ts";
import { detectFormat, isObject, parseJsonl, SchemaError } from "../src/index.ts";
import { formatNames } from "../src/readers/formats.ts";
import { FIXTURES, NAMED_FORMAT, readerFixtures } from "./reader-fixtures.ts";

/** The fixtures that are text of JSON, and the format of each by a reader that knows its name. */
const FILES: { file: string; format: string; text: string; records: readonly object[] }[] = [];
for (const file of readerFixtures()) {
  if (!/\.jsonl?$/.test(file) || NAMED_FORMAT.has(file)) continue;
  const path = join(FIXTURES, file);
  const text = readFileSync(path, "utf8");
  const { report } = await readRowFiles([path]);
  FILES.push({ file, format: report.format, text, records: parseJsonl(text, { tolerateTail: true }).rows });
}

test.each(FILES)("$file is $format without its name, whatever its lines end in and its records stand in", (given) => {
  const { format, text, records } = given;
  expect(detectFormat(text)).toBe(format);
  expect(detectFormat(new TextEncoder().encode(text))).toBe(format);
  expect(detectFormat(text.replaceAll("\n", "\r\n"))).toBe(format);
  expect(detectFormat(`\ufeff${text}`)).toBe(format);
  expect(detectFormat(records)).toBe(format);
  expect(detectFormat(JSON.stringify(records))).toBe(format);
  expect(detectFormat(JSON.stringify({ data: records, note: 1 }, null, 2))).toBe(format);
  expect(detectFormat(records.map((record) => JSON.stringify(record)).join("\n"))).toBe(format);
  // The order in which a program wrote the keys says nothing.
  const reversed = records.map((record) => Object.fromEntries(Object.entries(record).reverse()));
  expect(detectFormat(reversed)).toBe(format);
});

test("one record of a file is enough", () => {
  for (const { file, format, records } of FILES) {
    for (const record of records) expect(detectFormat(record), file).toBe(format);
  }
});

const PAIRS = FILES.flatMap((a) => FILES.filter((b) => a.format < b.format).map((b) => [a, b] as const));

test(`records of two formats in one file are said to be so, with the count of each: all ${PAIRS.length} pairs`, () => {
  for (const [a, b] of PAIRS) {
    const mixed = [...a.records.slice(0, 5), ...b.records.slice(0, 5)].filter(isObject);
    // Loose rows are rows under other names.
    if ([a.format, b.format].sort().join() === "loose,while") {
      expect(detectFormat(mixed)).toBe("loose");
      continue;
    }
    const thrown = errorOf(() => detectFormat(mixed, "mixed.jsonl"));
    expect(thrown, `${a.file} and ${b.file}`).toMatchObject({
      code: "format_ambiguous",
      place: { file: "mixed.jsonl" },
    });
    for (const { format, records } of [a, b]) expect(thrown.what).toContain(`${Math.min(5, records.length)} ${format}`);
    for (const name of formatNames()) expect(thrown.fix).toContain(name);
  }
});

test.each([...NAMED_FORMAT])("%s is of several formats until it is said to be %s", async (file, format) => {
  const path = join(FIXTURES, file);
  const thrown = errorOf(() => detectFormat(readFileSync(path)));
  expect(thrown).toMatchObject({ code: "format_ambiguous" });
  expect(thrown.fix).toContain(format);
  expect((await readRowFiles([path], { format })).report.format).toBe(format);
});

function errorOf(run: () => unknown): SchemaError {
  try {
    run();
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

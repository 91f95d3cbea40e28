import { expect, test } from "vitest";
import { SchemaError } from "../schema-error.ts";
import { type ParseJsonlOptions, parseJsonl } from "./parse-jsonl.ts";

function faultOf(source: string | Uint8Array, options: ParseJsonlOptions = {}): SchemaError {
  try {
    parseJsonl(source, options);
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
  throw new Error("accepted");
}

test("NaN, Windows line ends, blank lines, U+2028 and a broken tail in one file", () => {
  const text = '{"prompt":"a","reward":NaN}\r\n\n{"prompt":"x\u2028y"}\n{"prompt":"cut';
  expect(parseJsonl(text, { tolerateTail: true })).toMatchObject({
    rows: [{ prompt: "a", reward: null }, { prompt: "x\u2028y" }],
    nonFinite: 1,
    droppedTail: true,
    nBadLines: 0,
  });
});

test("a byte-order mark is no part of the first line", () => {
  expect(parseJsonl(new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode('{"a":1}\n')])).rows).toEqual([
    { a: 1 },
  ]);
  expect(parseJsonl('\ufeff{"a":1}').rows).toEqual([{ a: 1 }]);
});

test.each(["", "\n", " \r\n\n"])("%j holds no objects, and that is no fault", (text) => {
  expect(parseJsonl(text).rows).toEqual([]);
});

test.each([
  ['[{"a":1},\n {"a":2}]', [{ a: 1 }, { a: 2 }]],
  ['{"rows":[{"a":1}]}', [{ a: 1 }]],
  ['{\n  "data": [\n    {"a": 1}\n  ]\n}\n', [{ a: 1 }]],
  ['{"n":1,\n"trajectories":[{"a":1}]}', [{ a: 1 }]],
  ['{\n  "a": 1\n}\n', [{ a: 1 }]],
  ['{"a":1}', [{ a: 1 }]],
  ['{"rows":[{"a":1}]}\n{"rows":[{"a":2}]}\n', [{ rows: [{ a: 1 }] }, { rows: [{ a: 2 }] }]],
])("%j is read whole", (text, rows) => {
  expect(parseJsonl(text).rows).toEqual(rows);
});

test("a bad line is named with its number, its column and what it begins with", () => {
  const error = faultOf('{"a":1}\n{"a":2,}\n{"a":3}\n', { file: "labels.jsonl" });
  expect(error).toMatchObject({ code: "bad_line", place: { file: "labels.jsonl", line: 2, column: 8 } });
  expect(error.what).toBe('labels.jsonl, line 2 has "}" where a key in double quotes should stand: "{\\"a\\":2,}".');
});

test("of many bad lines five are named and all are counted, after the whole file was read", () => {
  const text = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? `{"n":${i}}` : `{"n":${i}`)).join("\n");
  const { what, place } = faultOf(text);
  expect(what).toMatch(/^The text has 10 bad rows: line 2 .*; line 4 .*; line 10 .*, and 5 more\.$/);
  expect(place.line).toBe(2);
  const skipped = parseJsonl(text, { onBadRow: "skip" });
  expect(skipped.rows).toHaveLength(10);
  expect(skipped).toMatchObject({ nBadLines: 10, badLines: [2, 4, 6, 8, 10].map((line) => ({ line })) });
});

test.each([
  ['{"a":1}\n[1,2]\n', "line 2 is a list and not an object"],
  ['{"a":1}\n"text"\n', "line 2 is a string and not an object"],
  ['{"a":1}\nnull\n', "line 2 is null and not an object"],
  ["[1]", "the item at line 1 is a number and not an object"],
  ['[{"a":1},]', "the item at line 1 ends where a value should stand"],
  ['[{"a":1}\n', "the item at line 2 is where the file ends, inside its list"],
])("%j: %s", (text, what) => {
  expect(faultOf(text).what).toContain(what);
});

test("only a last line may be broken, and only when that is said", () => {
  const cut = '{"a":1}\n{"a":';
  expect(faultOf(cut).place.line).toBe(2);
  expect(parseJsonl(cut, { tolerateTail: true }).rows).toEqual([{ a: 1 }]);
  expect(parseJsonl(`${cut}\n\n`, { tolerateTail: true }).droppedTail).toBe(true);
  expect(faultOf(`${cut}\n{"a":2}`, { tolerateTail: true }).place.line).toBe(2);
  expect(parseJsonl('[{"a":1},{"a', { tolerateTail: true })).toMatchObject({ rows: [{ a: 1 }], droppedTail: true });
});

test("bytes that are not UTF-8 are refused with their offset in the file, or replaced when that is asked", () => {
  const bytes = new Uint8Array([
    ...new TextEncoder().encode('{"a":1}\n{"a":"'),
    0xe4,
    ...new TextEncoder().encode('"}'),
  ]);
  expect(faultOf(bytes).what).toMatch(/^The text, line 2 is not UTF-8 at byte 1[45] of the file/);
  expect(parseJsonl(bytes, { invalidUtf8: "replace" }).rows[1]).toEqual({ a: "\ufffd" });
  // A character that the crash cut in two is part of the broken tail.
  expect(parseJsonl(bytes.subarray(0, 15), { tolerateTail: true }).rows).toEqual([{ a: 1 }]);
});

test("half a surrogate pair in text that is already in memory is kept and counted", () => {
  const parsed = parseJsonl('{"a":"x\ud835"}');
  expect(parsed.rows).toEqual([{ a: "x\ud835" }]);
  expect(parsed.loneSurrogates).toBe(1);
});

test.each([
  ["# Title\n\ntext", "format_unknown", 'is text, not rows: line 1 begins "# Title"'],
  ["\x89PNG\r\n\x1a\n", "bad_file", "is a PNG image"],
  ["PK\x03\x04rest of an archive", "bad_file", "is a zip archive"],
  ["\x1f\x8bpacked", "bad_file", "is gzip"],
  ["\xff\xfe{\x00", "bad_file", "is UTF-16 text"],
  ["PAR1data", "bad_file", "is Parquet"],
  ["abc\x00def", "bad_file", "is binary data"],
])("%j is no JSON at all: %s", (text, code, what) => {
  const error = faultOf(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  expect(error.code).toBe(code);
  expect(error.what).toContain(what);
  expect(error.fix).not.toBe("");
});

test("a line printed in front of the objects is one bad line, not another kind of file", () => {
  expect(parseJsonl('loading model...\n{"a":1}\n', { onBadRow: "skip" })).toMatchObject({
    rows: [{ a: 1 }],
    nBadLines: 1,
  });
});

test("an option that does not exist is refused with the name it may have meant", () => {
  expect(faultOf("", { onBadrow: "skip" } as ParseJsonlOptions).fix).toContain("Did you mean onBadRow?");
});

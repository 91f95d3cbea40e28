import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SchemaError } from "../schema-error.ts";
import { emptyNotes, isIdKey, MAX_JSON_DEPTH, parseEmbeddedJson, parseJsonText } from "./json-text.ts";

/** A value that no double holds, so that the text goes through the careful parser. */
const UNSAFE = "9007199254740993";

function careful(text: string): unknown {
  return (parseJsonText(`[${UNSAFE},${text}]`) as unknown[])[1];
}

function faultOf(text: string): SchemaError {
  try {
    parseJsonText(text);
  } catch (error) {
    return error as SchemaError;
  }
  throw new Error(`accepted: ${text}`);
}

test.each([
  ["scenario_id", "9007199254740992", "9007199254740992"],
  ["id", "-9007199254740993", "-9007199254740993"],
  ["order_id", "12345678901234567890123", "12345678901234567890123"],
  ["orderId", "9007199254740993", "9007199254740993"],
  ["userID", "9007199254740993", "9007199254740993"],
  ["order_ids", "9007199254740993", "9007199254740993"],
  ["valid", "9007199254740993", 9007199254740992],
  ["total", "9007199254740993", 9007199254740992],
  ["task_id", "9007199254740991", 9007199254740991],
  ["task_id", "123", 123],
])("under %s the integer %s is read as %j", (key, digits, expected) => {
  expect(parseJsonText(`{"${key}":${digits}}`)).toEqual({ [key]: expected });
});

test("ids keep their digits at any depth, and in the lists that hold them", () => {
  const text = `{"steps":[{"arguments":{"order_ids":[${UNSAFE},1]},"result":{"order":{"id":${UNSAFE},"total":${UNSAFE}}}}]}`;
  const notes = emptyNotes();
  expect(parseJsonText(text, { notes })).toEqual({
    steps: [{ arguments: { order_ids: [UNSAFE, 1] }, result: { order: { id: UNSAFE, total: 9007199254740992 } } }],
  });
  expect(notes).toMatchObject({ unsafeIntegers: 3, unsafeIntegerPath: "steps[0].arguments.order_ids[0]" });
});

test.each([
  ["string", UNSAFE, UNSAFE],
  ["number", 9007199254740992, 9007199254740992],
] as const)('unsafeIntegers "%s" treats ids and other numbers alike', (unsafeIntegers, id, total) => {
  expect(parseJsonText(`{"id":${UNSAFE},"total":${UNSAFE}}`, { unsafeIntegers })).toEqual({ id, total });
});

test("an integer that a double holds exactly is rounded nowhere and not counted", () => {
  const notes = emptyNotes();
  expect(parseJsonText('{"ns":1700000000000000000,"total":10000000000000000}', { notes })).toEqual({
    ns: 1_700_000_000_000_000_000,
    total: 1e16,
  });
  expect(notes.unsafeIntegers).toBe(0);
});

test("digits inside strings, fractions and exponents are no integers", () => {
  const text = '{"a_id":"n 9007199254740993, x","b_id":0.30000000000000004,"c_id":1234567890123456e2}';
  expect(parseJsonText(text)).toEqual(JSON.parse(text));
});

test("bare NaN and Infinity become null and are counted; the words inside a string stay", () => {
  const notes = emptyNotes();
  const text = '{"m":{"brief":NaN},"r":[Infinity,-Infinity],"final_text":"NaN, -Infinity"}';
  expect(parseJsonText(text, { notes })).toEqual({
    m: { brief: null },
    r: [null, null],
    final_text: "NaN, -Infinity",
  });
  expect(notes).toMatchObject({ nonFinite: 3, nonFinitePath: "m.brief" });
});

test("a number too large for any double is null and counted, unless it is an id", () => {
  const digits = "9".repeat(400);
  const notes = emptyNotes();
  expect(parseJsonText(`{"x":${digits},"x_id":${digits}}`, { notes })).toEqual({ x: null, x_id: digits });
  expect(notes).toMatchObject({ nonFinite: 1, unsafeIntegers: 1 });
});

test.each([
  ['{"a":"\\ud835"}', 1, "a"],
  ['{"a":[{"b":"x\\uDC00\\uD800"}]}', 2, "a[0].b"],
  ['{"a":"\\ud83d\\ude00"}', 0, null],
  ['{"a":"\\\\ud835"}', 0, null],
  ['{"\\ud835":1}', 1, "\ud835"],
  [`{"id":${UNSAFE},"a":"\\ud835"}`, 1, "a"],
])("%s holds %i lone halves of surrogate pairs", (text, n, path) => {
  const notes = emptyNotes();
  parseJsonText(text, { notes });
  expect(notes).toMatchObject({ loneSurrogates: n, loneSurrogatePath: path });
});

test("512 levels are read, 513 are refused with the column, however the text gets there", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(() => parseJsonText(nested(MAX_JSON_DEPTH))).not.toThrow();
  expect(faultOf(nested(MAX_JSON_DEPTH + 1))).toMatchObject({ code: "bad_line", place: { column: 513 } });
  expect(faultOf(`{"id":${UNSAFE},"x":${nested(MAX_JSON_DEPTH)}}`).what).toContain("deeper than 512");
  // Openers inside strings and beside one another nest nothing.
  const flat = JSON.stringify({ text: "{[".repeat(900), list: Array.from({ length: 900 }, () => ({})) });
  expect(parseJsonText(flat)).toEqual(JSON.parse(flat));
});

test.each([
  ['{"a":1,}', 8, 'has "}" where a key in double quotes should stand'],
  ["{'a':1}", 2, 'has "\'" where a key in double quotes should stand'],
  ['{"a" 1}', 6, 'has "1" where ":" behind a key should stand'],
  ['{"a":tru}', 6, 'has "t" where a value should stand'],
  ['{"a":1 "b":2}', 8, 'has "\\"" where "," or "}" should stand'],
  ['{"a":"cut', 6, "ends inside a string"],
  ['{"a":[1,2', 10, 'ends where "," or "]" should stand'],
  ['{"a":1} {"b":2}', 9, "goes on after its value has ended"],
  ['{"a":01}', 6, "has a number that JSON does not know"],
  ['{"é😀":"\t"}', 8, "has a raw control character in a string"],
  ['{"a":"\\x41"}', 7, "has an escape that JSON does not know"],
  ["", 1, "ends where a value should stand"],
])("%j is refused at column %i: it %s", (text, column, what) => {
  expect(faultOf(text)).toMatchObject({ code: "bad_line", what: `The text ${what}.`, place: { line: 1, column } });
});

test("__proto__ is a key like any other, in both parsers", () => {
  const text = '{"__proto__":{"polluted":1},"constructor":2}';
  for (const value of [parseJsonText(text), careful(text)] as Record<string, unknown>[]) {
    expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
    expect(value.polluted).toBeUndefined();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  }
});

test("the careful parser reads what JSON.parse reads, and alike", () => {
  const blank = fc.constantFrom("", " ", "\n", "\t ");
  fc.assert(
    fc.property(fc.json(), blank, blank, (text, before, after) => {
      const spaced = before + text + after;
      expect(careful(spaced)).toStrictEqual(JSON.parse(spaced));
      expect(parseJsonText(spaced)).toStrictEqual(JSON.parse(spaced));
    }),
  );
});

test("what JSON.parse refuses is refused, but for the three bare words", () => {
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", '"', "}", "]", "0", "e", "\\", "\u0001", "nul"))
    .map(([text, at, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1));
  fc.assert(
    fc.property(damaged, (text) => {
      let expected: unknown;
      try {
        expected = JSON.parse(text);
      } catch {
        expect(() => parseJsonText(text)).toThrow(SchemaError);
        return;
      }
      expect(parseJsonText(text)).toStrictEqual(expected);
    }),
    { numRuns: 2000 },
  );
});

test.each(["[1e999]", "[1e999,12345678901234567890]"])(
  "an exponent beyond a double is what JSON.parse makes of it: %s",
  (text) => {
    expect((parseJsonText(text) as number[])[0]).toBe(Number.POSITIVE_INFINITY);
  },
);

test("no long integer slips past the scan, wherever it stands", () => {
  const number = fc.bigInt({ min: 10n ** 15n, max: 10n ** 30n }).map(String);
  fc.assert(
    fc.property(fc.string(), number, fc.string(), (before, digits, after) => {
      const text = `{${JSON.stringify(`x${before}`)}: 1, "a_id": ${digits}, "z": ${JSON.stringify(after)}}`;
      const { a_id: id } = parseJsonText(text) as { a_id: unknown };
      expect(String(id)).toBe(digits);
    }),
  );
});

test.each([
  ['{"order_id":9007199254740993}', { order_id: UNSAFE }],
  ['{"n":1}', { n: 1 }],
])("JSON inside a string keeps its ids: %s", (text, expected) => {
  expect(parseEmbeddedJson(text)).toEqual(expected);
});

test("JSON inside a string is plain JSON: bare NaN is none, and neither is what no writer could write", () => {
  expect(() => parseEmbeddedJson('{"x":NaN}')).toThrow();
  expect(() => parseEmbeddedJson("[".repeat(600) + "]".repeat(600))).toThrow();
});

test.each(["id", "ids", "task_id", "order_ids", "orderId", "userID", "x9Id"])("%s names something", (key) => {
  expect(isIdKey(key)).toBe(true);
});

test.each(["paid", "grid", "Id", "ID", "identity", "id_count", "total", "VALID", ""])("%s names nothing", (key) => {
  expect(isIdKey(key)).toBe(false);
});

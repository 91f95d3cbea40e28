import fc from "fast-check";
import { expect, test } from "vitest";
import { pyJson } from "./python-json.ts";

test.each([
  // value, as Python 3.11's json.dumps writes it
  [
    { a: [1, 1.5, true, null, 'é\u007f\n"\\/'], b: {} },
    '{"a": [1, 1.5, true, null, "\\u00e9\\u007f\\n\\"\\\\/"], "b": {}}',
  ],
  [[], "[]"],
  [[1e-5, 1.5e-7, 0.0001, 0.1, -0, 123456.789], "[1e-05, 1.5e-07, 0.0001, 0.1, -0.0, 123456.789]"],
  [[1e-10, 0.00001234, 5e-324, 1e22, 100.5], "[1e-10, 1.234e-05, 5e-324, 1e+22, 100.5]"],
  ["📦\u2028\u0000\u001f", '"\\ud83d\\udce6\\u2028\\u0000\\u001f"'],
])("pyJson(%j) is %s", (value, expected) => {
  expect(pyJson(value)).toBe(expected);
});

test("with ascii false only what JSON must escape is escaped", () => {
  expect(pyJson({ é: "📦\u007f\n" }, { ascii: false })).toBe('{"é": "📦\u007f\\n"}');
});

test("sortKeys sorts at every depth, by code point", () => {
  expect(pyJson({ b: 1, a: { d: 2, c: [{}] } }, { sortKeys: true })).toBe('{"a": {"c": [{}], "d": 2}, "b": 1}');
  expect(pyJson({ "😀": 2, Ａ: 1, a: 3 }, { sortKeys: true, ascii: false })).toBe('{"a": 3, "Ａ": 1, "😀": 2}');
});

test("NaN and infinities are spelled as Python spells them", () => {
  expect(pyJson([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])).toBe("[NaN, Infinity, -Infinity]");
});

test("undefined is left out of objects and null in lists, as JSON.stringify does", () => {
  expect(pyJson({ a: undefined, b: [undefined], c: new Date(0) })).toBe(
    '{"b": [null], "c": "1970-01-01T00:00:00.000Z"}',
  );
  expect(pyJson(undefined)).toBe("null");
});

test("a key named __proto__ is a key", () => {
  expect(pyJson(JSON.parse('{"__proto__": {"x": 1}}'))).toBe('{"__proto__": {"x": 1}}');
});

test("what is written is JSON of the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.boolean(), fc.boolean(), (value, ascii, sortKeys) => {
      const text = pyJson(value, { ascii, sortKeys });
      expect(JSON.parse(text)).toEqual(value);
      if (ascii) expect(text).toMatch(/^[ -~]*$/);
    }),
  );
});

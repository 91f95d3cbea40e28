import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonNumber } from "./json-number.ts";
import { jsonText, newTextCounts } from "./json-text.ts";
import { keysInOrder, parseJsonTree } from "./parse-json-tree.ts";

const again = (text: string): string => jsonText(parseJsonTree(text), ",", newTextCounts()).replaceAll('": ', '":');

test.each([
  "12345678901234567890",
  "1.0",
  "1e2",
  "-0",
  "-0.0",
  "0.10",
  "1E+400",
  "0.0000001",
  "0.30000000000000004",
  "123456789.1234567891",
  "18.5",
  "9007199254740993",
  '{"b":1,"2":2.50,"1":[1.0,{"10":0,"9":0}]}',
  '{"__proto__":1.0}',
  '[{"a":"\\\\"},1.0]',
  '[true,false,null,1.0,"\\u2028"]',
])("%s comes back digit by digit and key by key", (text) => {
  expect(again(text)).toBe(text);
});

test("the last of two equal keys wins, at the place of the first", () => {
  expect(again('{"a":1.0,"b":2,"a":3.0}')).toBe('{"a":3.0,"b":2}');
});

test("a number that a double spells alike is a number, any other a JsonNumber that counts as one", () => {
  const { plain, kept } = parseJsonTree('{"plain":18.5,"kept":1.0}') as { plain: number; kept: JsonNumber };
  expect(plain).toBe(18.5);
  expect(kept).toEqual(new JsonNumber("1.0"));
  expect(Number(kept) + 1).toBe(2);
  expect(JSON.stringify({ kept })).toBe('{"kept":1}');
});

test.each(["", "{", "[1.0", '{"a" 1.0}', "[1.0,]", "1.0 x", "01.0", "nan1e5", '"a1e5', "{a: 1e5}", "[1e5 2e5]"])(
  "%j is not JSON",
  (text) => {
    expect(() => parseJsonTree(text)).toThrow(SyntaxError);
  },
);

test("512 levels are read, 513 are not, with and without unusual numbers", () => {
  const nested = (depth: number, inner: string) => "[".repeat(depth) + inner + "]".repeat(depth);
  for (const inner of ["1", "1.0"]) {
    expect(() => parseJsonTree(nested(512, inner))).not.toThrow();
  }
  expect(() => parseJsonTree(nested(513, "1.0"))).toThrow(SyntaxError);
  expect(() => parseJsonTree(nested(600, "1".padEnd(1000, " ")))).toThrow(SyntaxError);
});

test("any JSON is read as JSON.parse reads it, also by the careful parser", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      const value = JSON.parse(text);
      expect(JSON.parse(JSON.stringify(parseJsonTree(text)))).toEqual(JSON.parse(JSON.stringify(value)));
      const careful = parseJsonTree(`[1.0, ${text}]`) as unknown[];
      expect(JSON.parse(JSON.stringify(careful[1]))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("keysInOrder of an object that was not parsed here is Object.keys", () => {
  expect(keysInOrder({ b: 1, a: 2 })).toEqual(["b", "a"]);
  expect(keysInOrder({ 2: 1, 1: 2 })).toEqual(["1", "2"]);
});

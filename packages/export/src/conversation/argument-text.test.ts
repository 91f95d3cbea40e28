import fc from "fast-check";
import { expect, test } from "vitest";
import { newTextCounts } from "../json/json-text.ts";
import { argumentText, argumentTree } from "./argument-text.ts";

const text = (given: unknown): string => argumentText(given, newTextCounts());

test.each([
  [{ input: [{ b: 1, a: [1, "x"] }] }.input[0], '{"b": 1,"a": [1,"x"]}'],
  [null, "{}"],
  [undefined, "{}"],
  ["", "{}"],
  ["  ", "{}"],
  ["null", "{}"],
  [[], "{}"],
  ["[]", "{}"],
  ['{"a":1}', '{"a": 1}'],
  ['"{\\"a\\": 1}"', '{"a": 1}'],
  ["{bad", "{bad"],
  ['"hello"', "hello"],
  [{ t: "é" }, '{"t": "é"}'],
  ['{"t": "\\u00e9"}', '{"t": "é"}'],
  [0, "0"],
  [false, "false"],
  ["5", "5"],
  ['{"id": 12345678901234567890, "x": 1.0, "e": 1e2}', '{"id": 12345678901234567890,"x": 1.0,"e": 1e2}'],
  ['{"2": "b", "1": "a"}', '{"2": "b","1": "a"}'],
])("the arguments %j are written %s", (given, expected) => {
  expect(text(given)).toBe(expected);
});

test("four layers of encoding are one too many: the string is what the agent sent", () => {
  let encoded = '{"a": 1}';
  for (let layer = 0; layer < 2; layer++) encoded = JSON.stringify(encoded);
  expect(text(encoded)).toBe('{"a": 1}');
  expect(argumentTree(JSON.stringify(encoded))).toBe('{"a": 1}');
});

test("writing twice changes nothing", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
      expect(text(text(args))).toBe(text(args));
    }),
  );
});

test("an object means the same before and after", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
      // As text, where 0 and -0 are one.
      expect(JSON.stringify(JSON.parse(text(args)))).toBe(JSON.stringify(args));
    }),
  );
});

import { expect, test } from "vitest";
import { csvOf } from "./csv.ts";

test.each([
  ["plain", "plain"],
  ['say "so"', '"say ""so"""'],
  ["a,b", '"a,b"'],
  ["two\nlines", '"two\nlines"'],
  ["=1+1", "'=1+1"],
  ["@x", "'@x"],
  [-1.5, "-1.5"],
  [null, ""],
])("csvOf writes %j as %j", (value, text) => expect(csvOf(["h"], [[value]])).toBe(`h\r\n${text}\r\n`));

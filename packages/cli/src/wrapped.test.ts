import { expect, test } from "vitest";
import { wrapped } from "./wrapped.ts";

test.each([
  ["short", 20, "short"],
  ["one two three four", 10, "one two\n  three\n  four"],
  ["  - one two three", 12, "  - one two\n    three"],
  ["  warning: one two", 12, "  warning:\n    one two"],
  ["a  table  is  left  as  it  is", 10, "a  table  is  left  as  it  is"],
  ["averyveryverylongword x", 10, "averyveryverylongword\n  x"],
  ["first\n\nlast", 10, "first\n\nlast"],
])("wrapped(%j, %i)", (text, width, lines) => {
  expect(wrapped(text, width)).toBe(lines);
});

import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "../../search.ts";
import { markedPlaces, withMark, withoutMarks } from "./marked-rows.ts";

test("a row is marked, joined by others, and let go; the fifth takes the room of the first", () => {
  const one = withMark(parseSearch("ok=0&page=2"), 7);
  expect(stringifySearch(one)).toBe("?ok=0&page=2&x=7");
  expect(stringifySearch(withMark(one, 7))).toBe("?ok=0&page=2");
  const four = [0, 12, 3].reduce(withMark, one);
  expect(markedPlaces(four)).toEqual([7, 0, 12, 3]);
  expect(markedPlaces(withMark(four, 99))).toEqual([0, 12, 3, 99]);
  expect(stringifySearch(withoutMarks(four))).toBe("?ok=0&page=2");
});

test.each([
  ["x=1&x=1&x=2", [1, 2]],
  ["x=-1&x=a&x=1.5&x=3", [3]],
  ["x=1&x=2&x=3&x=4&x=5", [1, 2, 3, 4]],
])("?%s marks %j", (text, places) => {
  expect(markedPlaces(parseSearch(text))).toEqual(places);
});

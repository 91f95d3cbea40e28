import { expect, test } from "vitest";
import { cursorOf, pageOf } from "./row-pages.ts";

test.each([
  // place in the list, page, cursor of the page
  [1, 1, null],
  [50, 1, null],
  [51, 2, "50"],
  [163, 4, "150"],
])("row %i is on page %i, which begins at %j", (place, page, cursor) => {
  expect(pageOf(place)).toBe(page);
  expect(cursorOf(page)).toBe(cursor);
});

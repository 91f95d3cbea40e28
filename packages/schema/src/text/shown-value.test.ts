import { expect, test } from "vitest";
import { shownKeys, shownName, shownValue } from "./shown-value.ts";

test.each([
  ["f", 'the text "f"'],
  ["x".repeat(41), `the text "${"x".repeat(40)}…"`],
  [[1, 2], "a list of 2"],
  [{ a: 1 }, "an object"],
  [null, "null"],
  [undefined, "missing"],
])("%j is shown as %s", (value, shown) => {
  expect(shownValue(value)).toBe(shown);
});

test("a name is in quotes on one line, and cut between characters", () => {
  expect(shownName('a "b"\n')).toBe('"a \\"b\\"\\n"');
  expect(shownName("é".repeat(80))).toBe(`"${"é".repeat(80)}"`);
  expect(shownName("📦".repeat(81))).toBe(`"${"📦".repeat(80)}…"`);
});

test("of a record's keys the first six are named", () => {
  expect(shownKeys({})).toBe("none");
  expect(shownKeys({ a: 1, b: 2 })).toBe('"a", "b"');
  expect(shownKeys({ ...[0, 1, 2, 3, 4, 5, 6, 7] })).toBe('"0", "1", "2", "3", "4", "5", 2 more');
});

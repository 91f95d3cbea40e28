import fc from "fast-check";
import { expect, test } from "vitest";
import { areAlike } from "./edit-similarity.ts";

test.each<[string, string, number, boolean]>([
  ["", "", 0.9, true],
  ["kitten", "sitting", 4 / 7, true],
  ["kitten", "sitting", 4.1 / 7, false],
  ["abcdefghij", "abcdefghiX", 0.9, true],
  ["abcdefghi", "abcdefghX", 0.9, false],
  ["", "a", 0.9, false],
  ["😀", "😃", 0.5, false],
])("areAlike(%j, %j, %d) is %s", (one, other, atLeast, alike) => {
  expect(areAlike(one, other, atLeast)).toBe(alike);
  expect(areAlike(other, one, atLeast)).toBe(alike);
});

test("a long text with one word changed is alike, with every second it is not", () => {
  const words = Array.from({ length: 2000 }, (_, at) => `word${at}`);
  expect(areAlike(words.join(" "), words.with(7, "other").join(" "), 0.9)).toBe(true);
  expect(areAlike(words.join(" "), words.map((word, at) => (at % 2 ? "x" : word)).join(" "), 0.9)).toBe(false);
});

test("it is what the whole table says", () => {
  const short = fc.string({ maxLength: 12, unit: fc.constantFrom("a", "b", "c") });
  fc.assert(
    fc.property(short, short, fc.constantFrom(0, 0.25, 0.5, 0.75, 0.9, 1), (one, other, atLeast) => {
      const longest = Math.max(one.length, other.length);
      const similarity = longest === 0 ? 1 : 1 - distance(one, other) / longest;
      expect(areAlike(one, other, atLeast)).toBe(similarity >= atLeast - 1e-9);
    }),
  );
});

function distance(one: string, other: string): number {
  if (one === "" || other === "") return one.length + other.length;
  if (one[0] === other[0]) return distance(one.slice(1), other.slice(1));
  const memo = new Map<string, number>();
  const walk = (i: number, j: number): number => {
    if (i === one.length || j === other.length) return one.length - i + other.length - j;
    const key = `${i},${j}`;
    const known = memo.get(key);
    if (known !== undefined) return known;
    const changed = walk(i + 1, j + 1) + (one[i] === other[j] ? 0 : 1);
    const least = Math.min(changed, walk(i + 1, j) + 1, walk(i, j + 1) + 1);
    memo.set(key, least);
    return least;
  };
  return walk(0, 0);
}

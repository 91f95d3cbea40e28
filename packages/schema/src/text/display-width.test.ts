import { expect, test } from "vitest";
import { cutToWidth, displayWidth, padToWidth } from "./display-width.ts";

test.each([
  ["", 0],
  ["abc", 3],
  ["日本", 4],
  ["é", 1],
  ["e\u0301", 1],
  ["😀", 2],
  ["한글", 4],
  ["Ａ", 2],
  ["a\u200bb", 2],
  ["ёж", 2],
])("%j takes %i columns", (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test.each([
  ["日本", 6, "日本  "],
  ["abcd", 3, "abcd"],
])("%j padded to %i", (text, width, padded) => {
  expect(padToWidth(text, width)).toBe(padded);
});

test.each([
  ["abcdef", 6, "abcdef"],
  ["abcdef", 4, "abc…"],
  ["日本語", 4, "日…"],
  ["😀😀", 3, "😀…"],
])("%j cut to %i columns is %s", (text, width, cut) => {
  expect(cutToWidth(text, width)).toBe(cut);
});

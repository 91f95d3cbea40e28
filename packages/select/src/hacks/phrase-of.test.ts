import { expect, test } from "vitest";
import { phraseOf } from "./phrase-of.ts";

const names = (terms: string) => terms.split("|").map((term) => `contains:${term}`);

test.each([
  ["thank|thank you|you for|for flying|flying with", "thank you for flying with"],
  ["for flying|you for|thank you", "thank you for flying"],
  // Pieces of two phrases in one column: the longer one.
  ["a b|b c|c d|x y|y z", "a b c d"],
  // A word that comes again does not send it round in circles.
  ["a b|b a|a c", "a b a c"],
  ["a a|a b", "a a b"],
  [". all|all is|is well|well .", "all is well"],
  [". all|all .", null],
  [". all|all is|is well|well .|. and|and more|more .", "all is well"],
  ["rest assured|assured ,|, it", "rest assured , it"],
  ["and|kindly", null],
  ["rest assured", null],
  ["", null],
])("the terms %j are the phrase %j", (terms, phrase) => {
  expect(phraseOf(names(terms))).toBe(phrase);
});

test("features that count something are no phrase", () => {
  expect(phraseOf(["n:words", "tool:a b", "contains:a b", "contains:b c"])).toBe("a b c");
  expect(phraseOf(["reply_length"])).toBeNull();
});

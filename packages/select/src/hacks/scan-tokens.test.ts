import { compareCodePoints } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { autoTerms, scanTokens, termPostings } from "./scan-tokens.ts";

test.each<[string, string[]]>([
  ["", []],
  ["  \n\t", []],
  ["A b c", []],
  ["Don't, 3.5", ["don", "'", ",", "3", ".", "5"]],
  ["x_1 snake_case __proto__", ["x_", "1", "snake_case", "__proto__"]],
  ["日本 👍", ["日", "本", "👍"]],
])("scanTokens(%j)", (text, tokens) => {
  expect(scanTokens(text)).toEqual(tokens);
});

const texts = fc.array(
  fc
    .array(fc.constantFrom("go", "on", "now", "!", "7", "constructor"), { maxLength: 6 })
    .map((words) => words.join(" ")),
  { maxLength: 12 },
);

test("terms and the texts that have them are those of a plain count", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 10 }), (given, minObs, topK) => {
      const plain = new Map<string, Set<number>>();
      for (const [i, text] of given.entries()) {
        const tokens = scanTokens(text);
        const pairs = tokens.slice(1).map((token, k) => `${tokens[k]} ${token}`);
        for (const term of [...tokens, ...pairs]) plain.set(term, (plain.get(term) ?? new Set()).add(i));
      }
      const expected = [...plain]
        .filter(([, at]) => at.size >= minObs && at.size < given.length)
        .sort(([a, x], [b, y]) => y.size - x.size || compareCodePoints(a, b))
        .slice(0, topK);
      expect(termPostings(given, { topK, minObs }).map(({ term, at }) => [term, [...at]])).toEqual(
        expected.map(([term, at]) => [term, [...at]]),
      );
      expect(autoTerms(given, { topK, minObs })).toEqual(expected.map(([term]) => term));
    }),
  );
});

test("of terms in as many texts, words come before what has signs in it when asked to", () => {
  const texts = ["rest assured, it is done", "it is done"];
  const options = { topK: 20, minObs: 1 };
  const terms = (wordsFirst: boolean) => termPostings(texts, { ...options, wordsFirst }).map(({ term }) => term);
  expect(terms(false)[0]).toBe(",");
  expect(terms(true)[0]).toBe("assured");
  expect([...terms(true)].sort()).toEqual([...terms(false)].sort());
});

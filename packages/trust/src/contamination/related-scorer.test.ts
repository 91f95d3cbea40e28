import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RelatedScorer } from "./related-scorer.ts";
import { wordStem } from "./word-stem.ts";

const THINGS =
  "ducks bakery muffins trains bridge garden candles violin lantern carpet orchard ferry museum tailor".split(" ");
const PROMPTS = Array.from({ length: 140 }, (_, i) => {
  const [a, b] = [THINGS[i % 14]!, THINGS[Math.floor(i / 14)]!];
  return { text: `How many ${a} does the ${b} number ${i + 13} need on day ${i * 7}?`, ids: [`t${i}`] };
});
const scorer = new RelatedScorer(PROMPTS);

describe("a reworded prompt", () => {
  const reworded = "On day 84, what is the amount of museums that the ducks' number 25 needs?";

  test("is found by its rare words and numbers, and leads the next", () => {
    const { threshold } = scorer.calibrate();
    const found = scorer.score(reworded)!;
    expect(PROMPTS[found.prompt]?.ids).toEqual(["t12"]);
    expect(found.score + found.lead).toBeGreaterThan(threshold!);
    expect(scorer.sharedWords(reworded, found.prompt)).toContain("84");
  });

  test("shares nothing in another language", () => {
    expect(scorer.score("第八十四天，博物馆需要多少只鸭子？")).toBeNull();
  });
});

test("a threshold needs prompts to tell rare words from common ones", () => {
  expect(new RelatedScorer(PROMPTS.slice(0, 19)).calibrate()).toMatchObject({
    threshold: null,
    skipped: expect.stringMatching(/^19 /),
  });
  expect(new RelatedScorer(PROMPTS.slice(0, 20)).calibrate().threshold).toBeGreaterThanOrEqual(0.6);
});

test("prompts that are all one template have no threshold", () => {
  const same = Array.from({ length: 40 }, (_, i) => ({ text: PROMPTS[i % 2]!.text, ids: [`t${i}`] }));
  expect(new RelatedScorer(same).calibrate()).toEqual({
    ...{ threshold: null, skipped: "the evaluation prompts are so alike that words do not tell them apart" },
  });
});

test("a prompt scores 1 against itself, and every score is a share", () => {
  for (const [prompt, { text }] of PROMPTS.entries()) {
    expect(scorer.score(text)).toMatchObject({ prompt, score: expect.closeTo(1, 9) });
  }
  const words = fc.array(fc.constantFrom(...THINGS, "the", "7", "seven", "文"), { maxLength: 12 });
  fc.assert(
    fc.property(words, (list) => {
      const found = scorer.score(list.join(" "));
      if (found === null) return;
      expect(found.score).toBeGreaterThanOrEqual(0);
      expect(found.score).toBeLessThanOrEqual(1 + 1e-9);
      expect(found.lead).toBeGreaterThanOrEqual(0);
      expect(scorer.score([...list].join("  "))).toEqual(found);
    }),
  );
});

test.each([
  ["consumes", "consum"],
  ["consumed", "consum"],
  ["studies", "study"],
  ["running", "run"],
  ["as", "as"],
  ["42", "42"],
])("wordStem(%j)", (word, stem) => expect(wordStem(word)).toBe(stem));

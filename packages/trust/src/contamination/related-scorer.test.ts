import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digitsOf } from "./number-words.ts";
import { RelatedScorer } from "./related-scorer.ts";
import { wordTokens } from "./token-scanner.ts";
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

describe("the score as the paper has it, with sets of strings", () => {
  const few = PROMPTS.slice(0, 15);
  const vectors = few.map(({ text }) => parts(text));
  const weigh = (kind: number) => (key: string) => {
    return Math.log((few.length + 1) / (vectors.filter((one) => one[kind]!.has(key)).length + 1)) ** 2;
  };
  const total = (keys: Iterable<string>, kind: number) => [...keys].map(weigh(kind)).reduce((a, b) => a + b, 0);
  const plain = (text: string) => {
    const own = parts(text);
    const scores = vectors.map((theirs) => {
      // A prompt without a rare word of the text is never looked at, whatever else they share.
      if (
        total(
          [...own[0]!].filter((stem) => theirs[0]!.has(stem)),
          0,
        ) === 0
      )
        return 0;
      return own.reduce((sum, keys, kind) => {
        const norm = Math.sqrt(total(keys, kind) * total(theirs[kind]!, kind));
        const shared = total(
          [...keys].filter((key) => theirs[kind]!.has(key)),
          kind,
        );
        return norm === 0 ? sum : sum + ([0.4, 0.2, 0.4][kind]! * shared) / norm;
      }, 0);
    });
    return Math.max(...scores);
  };
  const scorerOfFew = new RelatedScorer(few);

  test("is what the arrays come to, for text after text", () => {
    const words = fc.array(fc.constantFrom(...THINGS, "day", "14", "fourteen", "20", "étude", "第", "+", "3.0"), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(words, (list) => {
        const text = list.join(" ");
        const found = scorerOfFew.score(text);
        if (found !== null) expect(found.score).toBeCloseTo(plain(text), 9);
      }),
    );
    expect(scorerOfFew.score(few[3]!.text)?.prompt).toBe(3);
  });

  test("is the same from an index that another thread has built", () => {
    const copy = new RelatedScorer(PROMPTS, structuredClone(scorer.index));
    expect(copy.calibrate()).toEqual(scorer.calibrate());
    expect(copy.score("ducks of the museum on day 84")).toEqual(scorer.score("ducks of the museum on day 84"));
  });
});

/** Stems, numbers and runs of five characters of a text. */
function parts(text: string): Set<string>[] {
  const tokens = wordTokens(text).filter((token) => /[\p{L}\p{N}]/u.test(token));
  const joined = ` ${tokens.join(" ")} `;
  const digits = tokens.map(digitsOf);
  return [
    new Set(tokens.filter((_, i) => digits[i] === undefined).map(wordStem)),
    new Set(digits.filter((one) => one !== undefined)),
    new Set(Array.from({ length: Math.max(0, joined.length - 4) }, (_, i) => joined.slice(i, i + 5))),
  ];
}

test.each([
  ["consumes", "consum"],
  ["consumed", "consum"],
  ["studies", "study"],
  ["running", "run"],
  ["as", "as"],
  ["42", "42"],
])("wordStem(%j)", (word, stem) => expect(wordStem(word)).toBe(stem));

import { expect, test } from "vitest";
import { differenceSentence, flipsSentence, unpairedSentence } from "./flips-words.ts";

const names = { before: "v3", after: "v4" };

test.each([
  [
    { paired: 960, fixed: 65, broke: 34, p: 0.0023 },
    "Of 960 rows that both answered, 65 failed under v3 and pass under v4, 34 the other way round; exact McNemar p\u00a0=\u00a00.002.",
  ],
  [
    { paired: 10, fixed: 0, broke: 0, p: null },
    "Of 10 rows that both answered, 0 failed under v3 and pass under v4, 0 the other way round.",
  ],
  [{ paired: 0, fixed: 0, broke: 0, p: null }, "v4 and v3 have no row in common."],
])("%j reads as %s", (counts, sentence) => {
  expect(flipsSentence(counts, names)).toBe(sentence);
});

test.each([
  [
    { tasks: 240, delta: 5, ci95: [0.9, 9.1] as const, p: 0.0001 },
    "Paired over 240 tasks: +5.0 points, 95% +0.9 to +9.1, sign-flip p\u00a0<\u00a00.001.",
  ],
  [{ tasks: 1, delta: -5, ci95: null, p: null }, "Paired over 1 task: −5.0 points, no interval."],
  [null, null],
  [{ tasks: 0, delta: null, ci95: null, p: null }, null],
])("%j reads as %j", (difference, sentence) => {
  expect(differenceSentence(difference)).toBe(sentence);
});

test("what only one side has is said", () => {
  expect(unpairedSentence({ unpairedBefore: 0, unpairedAfter: 0 }, names)).toBeNull();
  expect(unpairedSentence({ unpairedBefore: 3, unpairedAfter: 2 }, names)).toMatch(
    /3 rows only of v3, 2 only of v4\.$/,
  );
});

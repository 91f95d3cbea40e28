import { expect, test } from "vitest";
import { agreementSentence } from "./task-words.ts";

test.each([
  [
    { tasks: 240, repeated: 240, unanimous: 151, agreement: 0.7833 },
    "240 tasks. In 151 of them all rollouts were graded alike; two rollouts of one task agree in 78.3% of pairs.",
  ],
  [
    { tasks: 5, repeated: 3, unanimous: 3, agreement: 1 },
    "3 of 5 tasks with repeats. In all of them all rollouts were graded alike; two rollouts of one task agree in 100.0% of pairs.",
  ],
  [
    { tasks: 1, repeated: 0, unanimous: 0, agreement: null },
    "1 task, each with one rollout: how far repeats agree cannot be told.",
  ],
])("%j", (agreement, words) => {
  expect(agreementSentence(agreement)).toBe(words);
});

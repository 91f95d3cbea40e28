import { expect, test } from "vitest";
import { exactMatch } from "./exact-match.ts";
import { includes } from "./includes.ts";
import { multipleChoice } from "./multiple-choice.ts";
import { normalizeText } from "./normalize-text.ts";
import { regex } from "./regex.ts";
import type { Verifier } from "./verifier.ts";

function rewardOf(verifier: Verifier, reply: string, answer?: unknown): unknown {
  const verdict = verifier({ final_text: reply, ...(answer === undefined ? {} : { answer }) });
  return verdict instanceof Promise ? null : verdict.reward;
}

test.each([
  ["  “Hello,  World!” ", "hello, world"],
  ["ＡＢＣ", "abc"],
  ["-5", "-5"],
  ["5%.", "5%"],
  [".5", ".5"],
  ["**Paris**", "paris"],
  ["...", ""],
  ["(1, 2)", "(1, 2)"],
  ["東京。", "東京"],
])("normalizeText(%j) is %j", (text, normal) => expect(normalizeText(text)).toBe(normal));

test.each([
  ["Paris.", "paris", 1],
  ["It is Paris", "Paris", 0],
  ["5", "-5", 0],
  ["NYC", ["New York", "nyc"], 1],
  ["7", 7, 1],
  ["", "x", 0],
  ["x", "", null],
  ["x", null, null],
])("ExactMatch: %j against %j is %j", (reply, answer, reward) => {
  expect(rewardOf(exactMatch(), reply, answer)).toBe(reward);
});

test.each([
  ["It is 17.", "7", 0],
  ["It is 7.", "7", 1],
  ["It is 7.5", "7", 0],
  ["the Café closes", "CAFÉ", 1],
  ["category", "cat", 0],
  ["東京都です", "東京", 1],
  ["a and b", ["a", "b"], 1],
  ["a and c", ["a", "b"], 0],
  ["a", "?!", null],
])("Includes: %j with %j is %j", (reply, answer, reward) => {
  expect(rewardOf(includes(), reply, answer)).toBe(reward);
});

test("Includes with its own texts needs no reference, and refuses a blank one", () => {
  expect(rewardOf(includes({ texts: ["refund", "order 7"] }), "The Refund of order 7 is on its way.")).toBe(1);
  expect(() => includes({ texts: ["refund", " "] })).toThrow("Includes got a blank text.");
  expect(() => includes({ texts: [] })).toThrow("blank");
});

test.each([
  ["The answer is (B).", "B", 1],
  ["Answer: **B**", "B", 1],
  ["so \\boxed{\\text{C}}", "C", 1],
  ["A is wrong, C is wrong.\nThe answer is B because of that", "B", 1],
  ["B", "(B) a cat", 1],
  ["b) 42", "B", 1],
  ["The correct option is D", "D", 0],
  ["The answer is option D.", "D", 1],
  ["The answer is a tiger", "A", 0],
  ["I think so", "I", 0],
  ["It's unclear", "B", 0],
  ["The answer is A", "A", 1],
  ["The answer is A, since", "A", 1],
  ["K", "A", 0],
  ["B", "42", null],
  ["B", "none of these", null],
])("MultipleChoice: %j against %j is %j", (reply, answer, reward) => {
  expect(rewardOf(multipleChoice(), reply, answer)).toBe(reward);
});

test("MultipleChoice refuses a number of options that no alphabet has", () => {
  expect(() => multipleChoice({ choices: 27 })).toThrow("choices is 27.");
});

test("Regex looks for a part, or with whole for all of the reply", () => {
  expect(rewardOf(regex("order \\d{4}\\b"), "See order 1234.")).toBe(1);
  expect(rewardOf(regex("order \\d{4}\\b"), "See order 12345.")).toBe(0);
  expect(rewardOf(regex("yes|no", { whole: true, flags: "i" }), " Yes\n")).toBe(1);
  expect(rewardOf(regex("yes|no", { whole: true }), "yes and no")).toBe(0);
});

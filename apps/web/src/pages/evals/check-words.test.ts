import type { Behavior } from "@while/platform-client/contract";
import { evalHealth } from "@while/platform-client/rules";
import { expect, test } from "vitest";
import { openWord, resolvesOf, shortValue } from "./check-words.ts";

const versions = [
  { v: "base", score: 61, ci: 2.7, n: 240 },
  { v: "v4", score: 83, ci: 2.7, n: 240 },
];
const checksOf = (behavior: Behavior, scored = versions) => evalHealth(behavior, scored).checks;
const check = (key: string, behavior: Behavior, scored = versions) =>
  checksOf(behavior, scored).find((one) => one.key === key)!;

test("what a test resolves is read from the words of its check", () => {
  expect(resolvesOf(checksOf({ name: "refunds", n: 240 }))).toBe("3.8");
  expect(resolvesOf(checksOf({ name: "refunds", n: 240 }, []))).toBeNull();
  expect(resolvesOf(checksOf({ name: "refunds" }, []))).toBeNull();
});

test("a cell says the short form", () => {
  expect(shortValue(check("size", { name: "refunds", n: 40 }))).toBe("n=40");
  expect(shortValue(check("reward", { name: "refunds" }))).toBe("not declared");
});

test.each<[string, Behavior, string | null]>([
  ["length", { name: "b", gradedBy: "program" }, "does not apply to a program"],
  ["length", { name: "b", gradedBy: "judge" }, "needs a measured judge"],
  ["length", { name: "b", judge: { lengthBias: 0.1 } }, null],
  ["frozen", { name: "b" }, null],
])("%s of %j that is open reads %j", (key, behavior, words) => {
  expect(openWord(check(key, behavior), behavior)).toBe(words);
});

test("a test without a score cannot say whether it can fail", () => {
  const behavior = { name: "b" };
  expect(openWord(check("canfail", behavior, []), behavior)).toBe("no score yet");
});

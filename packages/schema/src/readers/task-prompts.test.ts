import { expect, test } from "vitest";
import { TaskPrompts } from "./task-prompts.ts";

function warningOf(asked: readonly (readonly [task: string, prompt: string, file: number])[]): string | null {
  const prompts = new TaskPrompts();
  for (const [task, prompt, file] of asked) prompts.add(task, prompt, file);
  return prompts.warning();
}

test.each([
  [
    "rollouts of one file",
    [
      ["t/1", "a", 1],
      ["t/1", "b", 1],
    ],
  ],
  [
    "the same question in two files",
    [
      ["t/1", "a", 1],
      ["t/1", "a", 2],
    ],
  ],
  [
    "other tasks in two files",
    [
      ["t/1", "a", 1],
      ["u/1", "b", 2],
    ],
  ],
  [
    "a task called __proto__",
    [
      ["__proto__", "a", 1],
      ["__proto__", "a", 2],
    ],
  ],
] as const)("%s are nothing to warn of", (_, asked) => {
  expect(warningOf(asked)).toBeNull();
});

test("a task that asks another thing in a later file is named", () => {
  expect(
    warningOf([
      ["t/1", "a", 1],
      ["t/2", "b", 1],
      ["t/1", "c", 2],
      ["t/2", "b", 2],
    ]),
  ).toBe(
    "1 task has another prompt in a later file than in an earlier one, so the rollouts under one id are not of one task: " +
      "t/1. Read the files apart, or tell their tasks apart.",
  );
});

test("five are named and the rest is counted", () => {
  const asked = Array.from({ length: 7 }, (_, i) => [[`t/${i}`, "a", 1] as const, [`t/${i}`, "b", 2] as const]).flat();
  expect(warningOf(asked)).toContain("7 tasks have");
  expect(warningOf(asked)).toContain("t/0, t/1, t/2, t/3, t/4 and 2 more.");
});

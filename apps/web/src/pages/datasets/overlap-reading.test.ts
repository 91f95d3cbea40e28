import { expect, test } from "vitest";
import { overlapHits, overlapNotes, rowsWords } from "./overlap-reading.ts";

test("rows say by which rule they are there too, and with what; those that meet the same are one", () => {
  const examples = [
    { index: 28, rule: "same_task", coverage: 1, eval_task: "s7", eval_prompt: null, shared: null },
    { index: 29, rule: "same_task", coverage: 1, eval_task: "s7", eval_prompt: null, shared: null },
    { index: 3, rule: "near", coverage: 0.84, eval_prompt: "Order 7: late.", shared: "order 7" },
    { index: 4, rule: "of_another_version", eval_prompt: "Order 8." },
    { rule: "near" },
    "broken",
  ];
  expect(overlapHits({ examples })).toEqual([
    { rows: [29, 30], rule: "the same task", share: null, there: "task s7" },
    { rows: [4], rule: "nearly the same words", share: 0.84, there: "order 7" },
    { rows: [5], rule: "of another version", share: null, there: "Order 8." },
  ]);
  expect(overlapHits({})).toEqual([]);
});

test("what could not be seen is said, warnings first", () => {
  expect(overlapNotes({ notes: ["n", 1], warnings: ["w"] })).toEqual(["w", "n"]);
});

test.each([
  [[3], "3"],
  [[4, 3], "3, 4"],
  [[9, 10, 11, 12, 18, 1600], "9 to 12, 18, 1,600"],
  [[], ""],
])("rows %j are %j", (rows, words) => {
  expect(rowsWords(rows)).toBe(words);
});

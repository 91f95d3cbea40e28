import type { Row } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decontaminate } from "./decontaminate.ts";
import { evalMatcher } from "./eval-matcher.ts";

const EVAL: Row[] = [
  { task_id: "e1", prompt: "A farmer has twelve cows and sells three of them at the market on Friday" },
  { task_id: "e2", prompt: "Cancel order 9911." },
];
const TRAIN: Row[] = [
  { task_id: "e2", prompt: "Please stop my last order" },
  { task_id: "t1", prompt: "a FARMER has twelve cows and sells three of them at the market on friday" },
  { task_id: "t2", prompt: "A farmer has twelve cows and sells three of them at the market on Friday, how many?" },
  { task_id: "t3", prompt: "Something else altogether" },
];

test("each row by the rule that would drop it", async () => {
  const ruleOf = await evalMatcher(EVAL);
  expect(TRAIN.map(ruleOf)).toEqual(["same_task", "exact", "near", null]);
  // Asked again, in another order, the answer is the same.
  expect([...TRAIN].reverse().map(ruleOf)).toEqual([null, "near", "exact", "same_task"]);
});

test("it drops what decontaminate drops", async () => {
  const words = fc.array(fc.constantFrom("a", "farmer", "has", "twelve", "cows", "and", "sells", "three"), {
    maxLength: 20,
  });
  const rows = fc.array(
    fc.record({ task_id: fc.constantFrom("e1", "t1", "t2"), prompt: words.map((list) => list.join(" ")) }),
  );
  await fc.assert(
    fc.asyncProperty(rows, rows, async (train, evaluation) => {
      fc.pre(evaluation.length > 0);
      const ruleOf = await evalMatcher(evaluation);
      const { rows: clean } = await decontaminate(train, evaluation);
      expect(train.filter((row) => ruleOf(row) === null)).toEqual(clean);
    }),
    { numRuns: 50 },
  );
});

test("an evaluation without a row is refused, and so is a misspelled option", async () => {
  await expect(evalMatcher([])).rejects.toThrow(/evaluation has no row/);
  await expect(evalMatcher(EVAL, { overlp: 0.5 } as never)).rejects.toThrow(/overlp/);
});

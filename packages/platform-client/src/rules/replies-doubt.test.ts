import { expect, test } from "vitest";
import { repliesDoubt } from "./replies-doubt.ts";

const evals = (...ns: number[]) =>
  ns.map((n, i) => ({ behavior: `b${i}`, score: 80, n, createdAt: "2026-09-01T00:00:00Z" }));

test.each<[string, Parameters<typeof repliesDoubt>[0], boolean]>([
  ["n times k", { record: { eval: { replies: 960, k: 4 } }, evals: evals(240) }, false],
  ["a tenth fewer, as some attempts failed", { record: { eval: { replies: 864, k: 4 } }, evals: evals(240) }, false],
  ["tasks instead of attempts", { record: { eval: { replies: 240, k: 4 } }, evals: evals(240) }, true],
  ["model calls", { record: { eval: { replies: 5300, k: 4 } }, evals: evals(240) }, true],
  [
    "one set of rollouts for two behaviors",
    { record: { eval: { replies: 960, k: 4 } }, evals: evals(240, 240) },
    false,
  ],
  ["two sets, one a behavior", { record: { eval: { replies: 1160, k: 4 } }, evals: evals(240, 50) }, false],
  ["the held-out set of the record", { record: { eval: { replies: 400, k: 4 }, data: { nHoldout: 100 } } }, false],
  ["no k", { record: { eval: { replies: 5 } }, evals: evals(240) }, false],
  ["no n", { record: { eval: { replies: 5, k: 4 } } }, false],
  ["no record", { evals: evals(240) }, false],
])("%s", (_what, run, doubted) => {
  expect(repliesDoubt(run) !== null).toBe(doubted);
});

test("the sentence says what is counted", () => {
  expect(repliesDoubt({ record: { eval: { replies: 240, k: 4 } }, evals: evals(240) })).toBe(
    "240 replies, and 240 tasks of 4 rollouts are 960: replies are answered attempts, not tasks or model calls",
  );
});

import { expect, test } from "vitest";
import { failuresFirst, scoreOf } from "./samples.ts";

test("failures come first, each side in its order", () => {
  const rows = [true, false, true, false].map((ok, i) => ({ ok, prompt: String(i) }));
  expect(failuresFirst(rows).map(({ prompt }) => prompt)).toEqual(["1", "3", "0", "2"]);
});

test("of two scores of a behavior the newest counts", () => {
  const evals = [
    { behavior: "a", score: 2, createdAt: "2026-09-19T00:00:00Z", testVersion: "t2" },
    { behavior: "a", score: 1, createdAt: "2026-09-18T00:00:00Z", testVersion: "t1" },
    { behavior: "b", score: 3, createdAt: "2026-09-20T00:00:00Z" },
  ];
  expect(scoreOf({ evals }, "a")?.score).toBe(2);
  expect(scoreOf({ evals }, "c")).toBeNull();
});

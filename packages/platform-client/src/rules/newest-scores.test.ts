import { expect, test } from "vitest";
import { newestScores } from "./newest-scores.ts";

const at = (hour: number) => `2026-09-01T0${hour}:00:00.000Z`;
const one = (score: number, createdAt: string | undefined) => ({
  behavior: "b",
  score,
  createdAt: createdAt as string,
});

test("the newest score of each version counts, oldest version first", () => {
  const runs = [
    { id: "r3", version: "v2", evals: [one(70, at(3))] },
    { id: "r2", version: "v1", evals: [one(61, at(2))] },
    { id: "r1", version: "v1", evals: [one(60, at(1)), { ...one(5, at(9)), behavior: "other" }] },
  ];
  expect(newestScores(runs, "b").map(({ v, score, run }) => [v, score, run])).toEqual([
    ["v1", 61, "r2"],
    ["v2", 70, "r3"],
  ]);
});

test("of equal times the first in the list counts, a time of the run stands in, and none is the earliest", () => {
  const runs = [
    { id: "r1", version: "v1", evals: [one(61, at(2))] },
    { id: "r2", version: "v1", evals: [one(62, at(2))] },
    { id: "r3", version: "v2", createdAt: at(1), evals: [one(63, undefined)] },
    { id: "r4", version: "v3", evals: [one(64, undefined)] },
  ];
  expect(newestScores(runs, "b").map(({ v, score }) => [v, score])).toEqual([
    ["v3", 64],
    ["v2", 63],
    ["v1", 61],
  ]);
});

test("instants are compared, not their text", () => {
  const runs = [
    { id: "r1", version: "v1", evals: [one(1, "2026-09-01T02:00:00+02:00")] },
    { id: "r2", version: "v1", evals: [one(2, "2026-09-01T01:00:00Z")] },
  ];
  expect(newestScores(runs, "b")[0]!.score).toBe(2);
});

test("archived runs and other behaviors are left out", () => {
  expect(newestScores([{ id: "r", version: "v", archived: true, evals: [one(1, at(1))] }], "b")).toEqual([]);
});

import { expect, test } from "vitest";
import { chanceOf, movedOf } from "./moved.ts";

const score = (v: string, value: number, ci: number | null, testVersion = "t") => ({
  v,
  score: value,
  ci,
  n: 100,
  testVersion,
});
const input = {
  candidate: "v4",
  serving: "v3",
  targets: ["refunds"],
  behaviors: [
    { name: "refunds", noiseFloor: 2.4 },
    { name: "totals", noiseFloor: 1.9 },
    { name: "late" },
    { name: "band", noiseFloor: 9 },
  ],
  scores: [
    { name: "late", versions: [score("v3", 62.5, 9.5), score("v4", 71.9, 9.5)] },
    { name: "refunds", versions: [score("v3", 78, 3.3), score("v4", 83, 3)] },
    { name: "totals", versions: [score("v3", 90.8, 2.6), score("v4", 85.4, 2.6)] },
    { name: "band", versions: [score("v3", 50, 1), score("v4", 55, 1)] },
    { name: "other", versions: [score("v3", 50, 1, "a"), score("v4", 90, 1, "b")] },
    { name: "alone", versions: [score("v4", 90, 1)] },
    { name: "bare", versions: [score("v3", 50, null), score("v4", 90, 1)] },
  ],
};

test("targets first, then the deepest drop; each with its reading", () => {
  expect(movedOf(input).map(({ name, delta, role, word, says }) => [name, delta, role, word, says])).toEqual([
    ["refunds", 5, "good", "gain", "clears its band"],
    ["totals", -5.4, "bad", "drop", "beyond its band"],
    ["other", null, "rest", null, "scored on different tests"],
    ["band", 5, "rest", null, "inside its re-run band"],
    ["late", 9.4, "rest", null, "inside its interval, no band measured"],
    ["bare", 40, "rest", null, "no interval posted"],
  ]);
});

test("a version does not move against itself", () => {
  expect(movedOf({ ...input, candidate: "v3" })).toEqual([]);
});

test("half of the others come out lower when nothing changed", () => {
  expect(chanceOf(movedOf(input), "refunds")).toBe("1 of 4 others came out lower. Chance alone would give 2.");
  expect(chanceOf([], "refunds")).toBeNull();
});

import type { RunRow } from "@while/platform-client/contract";
import { expect, test } from "vitest";
import { newestWithRows, newestWithSample } from "./newest-with-rows.ts";

const createdAt = "2026-09-18T00:00:00Z";
const run = (id: string, day: number, rows: Record<string, number>, more: Partial<RunRow> = {}): RunRow => ({
  ...{ id, runId: id, agent: "a", version: id, targets: [], trainedOn: [], status: "evaluated", archived: false },
  evals: Object.entries(rows).map(([behavior, n]) => ({
    ...{ behavior, score: 1, createdAt, rows: n },
    examples: [{ ok: true }],
  })),
  ...{ createdAt: `2026-09-${String(day).padStart(2, "0")}T00:00:00Z`, updatedAt: createdAt },
  ...more,
});
const runs = [
  run("v1", 1, { a: 10, b: 10 }),
  run("v2", 2, { a: 10 }),
  run("v3", 3, { a: 0, b: 0 }),
  run("v4", 4, { a: 10 }, { archived: true }),
];

test.each([
  [undefined, null, { run: "v2", behavior: "a" }],
  [undefined, "v1", { run: "v1", behavior: "a" }],
  ["b", null, { run: "v1", behavior: "b" }],
  ["b", "v2", { run: "v1", behavior: "b" }],
  ["c", null, null],
])("rows of %j with candidate %j are at %j", (behavior, candidate, place) => {
  expect(newestWithRows(runs, { behavior, candidate })).toEqual(place);
});

test("what a run claims to move comes first", () => {
  const claimed = [run("v1", 1, { a: 5, b: 5 }, { targets: ["b"] })];
  expect(newestWithRows(claimed, { behavior: undefined, candidate: null })?.behavior).toBe("b");
});

test("without rows there may be a sample", () => {
  const bare = [run("v1", 1, { a: 0 })];
  expect(newestWithRows(bare, { behavior: undefined, candidate: null })).toBeNull();
  expect(newestWithSample(bare, { behavior: undefined, candidate: null })).toEqual({ run: "v1", behavior: "a" });
});

import type { RunRow } from "@while/platform-client/contract";
import { expect, test } from "vitest";
import { pulseOf } from "./use-pulse.ts";

const at = "2026-09-01T00:00:00.000Z";
const run: RunRow = {
  ...{ id: "r", runId: "r", agent: "a", version: "v", targets: [], trainedOn: [], status: "running", archived: false },
  ...{ createdAt: at, updatedAt: at, evals: [], steps: 10 },
};

test("a point more is no reason to ask again", () => {
  expect(pulseOf(3, { ...run, steps: 11, updatedAt: "2026-09-01T00:00:05.000Z" })).toBe(pulseOf(3, run));
});

test.each([
  ["a run more", 4, run],
  ["another run", 3, { ...run, id: "s" }],
  ["a status", 3, { ...run, status: "evaluated" }],
  ["a score", 3, { ...run, evals: [{ behavior: "b", score: 1, createdAt: at }] }],
  ["a note", 3, { ...run, notes: "n" }],
  ["no run", 3, undefined],
] as const)("%s is", (_, total, changed) =>
  expect(pulseOf(total, changed as RunRow | undefined)).not.toBe(pulseOf(3, run)),
);

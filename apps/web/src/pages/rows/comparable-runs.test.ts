import type { RunRow } from "@while/platform-client/contract";
import { expect, test } from "vitest";
import { comparableRuns } from "./comparable-runs.ts";

const run = (version: string, day: number, rows: number, archived = false): RunRow => ({
  ...{ id: `run_${version}`, runId: `run_${version}`, agent: "a", version, targets: [], trainedOn: [] },
  ...{ status: "evaluated", archived, createdAt: `2026-09-0${day}T00:00:00Z`, updatedAt: "2026-09-09T00:00:00Z" },
  evals: [{ behavior: "b", score: 1, createdAt: "2026-09-09T00:00:00Z", rows }],
});

test("the served version comes first, then the newest; without rows, archived or itself none is offered", () => {
  const runs = [
    run("v1", 1, 5),
    run("v2", 2, 5),
    run("v3", 3, 0),
    run("v4", 4, 5, true),
    run("v5", 5, 5),
    run("v6", 6, 5),
  ];
  const versions = comparableRuns(runs, { run: "run_v6", behavior: "b", serving: "v1" }).map(({ version }) => version);
  expect(versions).toEqual(["v1", "v5", "v2"]);
  expect(comparableRuns(runs, { run: "run_v6", behavior: "other", serving: null })).toEqual([]);
});

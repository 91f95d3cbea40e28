import type { RunRow, StoredScore } from "@while/platform-client/contract";
import { expect, test } from "vitest";
import { tableText } from "../../parts/table-text.ts";
import { takenKnobs, takenScores } from "./compared-table.ts";
import { knobDiff } from "./record-rows.ts";

const at = "2026-09-01T00:00:00.000Z";
const run = (id: string, version: string, evals: Omit<StoredScore, "createdAt">[], seed: number): RunRow => ({
  ...{ id, runId: id, agent: "a", version, targets: [], trainedOn: [], status: "done", archived: false },
  ...{ createdAt: at, updatedAt: at, record: { optimizer: { seed } } },
  evals: evals.map((score) => ({ ...score, createdAt: at })),
});
const runs = [
  run("r1", "v3", [{ behavior: "refunds", score: 78, ci: 3.3, n: 240, testVersion: "t" }], 1),
  run(
    "r2",
    "v4",
    [
      { behavior: "refunds", score: 83, n: 240, testVersion: "t" },
      { behavior: "late", score: 60, ci: 4 },
    ],
    2,
  ),
];

test("scores as they are read: not scored and not posted are words, never a 0", () => {
  expect(tableText(takenScores(runs), "markdown")).toBe(
    "| behavior | v3 (r1) | v4 (r2) |\n|---|---|---|\n| late | not scored | 60.0 ± 4.0 |\n| refunds | 78.0 ± 3.3 | 83.0 ± not posted |\n",
  );
});

test("scores for a program: one line for each behavior and run, null for what is not there", () => {
  expect(tableText(takenScores(runs), "CSV")).toBe(
    "behavior,run,version,score,ci,n,testVersion\r\nlate,r1,v3,,,,\r\nlate,r2,v4,60,4,,\r\nrefunds,r1,v3,78,3.3,240,t\r\nrefunds,r2,v4,83,,240,t\r\n",
  );
});

test("settings for a program", () => {
  const differing = knobDiff(runs).filter(({ same }) => !same);
  expect(tableText(takenKnobs(differing, runs), "JSONL")).toBe(
    '{"setting":"optimizer.seed","run":"r1","version":"v3","value":"1"}\n{"setting":"optimizer.seed","run":"r2","version":"v4","value":"2"}\n',
  );
});

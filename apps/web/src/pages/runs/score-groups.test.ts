import type { RunRow } from "@while/platform-client/contract";
import { expect, test } from "vitest";
import { endsOf, fitting, scorePoints } from "./score-groups.ts";

const run = (id: string, more: Partial<RunRow>): RunRow => ({
  ...{ id, runId: id, agent: "a", version: id, targets: [], trainedOn: [], status: "done", archived: false, evals: [] },
  ...{ createdAt: `2026-09-0${id.slice(1)}T00:00:00.000Z`, updatedAt: "2026-09-09T00:00:00.000Z" },
  ...more,
});
const runs = [
  run("v1", { method: "eval", harness: "p1@small" }),
  run("v2", { method: "SFT", harness: "p2@small" }),
  run("v3", { method: "eval", record: { provenance: { pins: { prompt: "p1", model: "large" } } } }),
];
const versions = ["v1", "v2", "v3"].map((v, place) => ({
  v,
  score: 50 + place,
  ci: 2,
  n: 100,
  run: v,
  testVersion: v === "v1" ? "old" : "t",
}));

test.each([
  [
    "version",
    [
      ["v1", ""],
      ["v2", ""],
      ["v3", ""],
    ],
  ],
  [
    "prompt",
    [
      ["v1", "p1"],
      ["v3", "p1"],
      ["v2", "p2"],
    ],
  ],
  [
    "model",
    [
      ["v1", "small"],
      ["v2", "small"],
      ["v3", "large"],
    ],
  ],
  [
    "method",
    [
      ["v1", "eval"],
      ["v3", "eval"],
      ["v2", "SFT"],
    ],
  ],
] as const)("by %s", (by, order) => {
  const points = scorePoints({ versions, runs, test: "t", by });
  expect(points.map(({ version, group }) => [version, group])).toEqual(order);
});

test("a score on another test is marked, and one whose test nobody named is not", () => {
  const unnamed = { v: "v0", score: 40, ci: null, n: null, run: null, testVersion: null };
  const points = scorePoints({ versions: [unnamed, ...versions], runs, test: "t", by: "version" });
  expect(points.map(({ otherTest }) => otherTest)).toEqual([false, true, false, false]);
  expect(points[0]).toMatchObject({ half: null, method: null, at: null });
});

test.each([
  [100, 49, [51, 100]],
  [2, 5, [0, 7]],
  [50, 5, [45, 55]],
  [120, 5, [115, 125]],
  [50, null, null],
])("ends of %d ± %j are %j", (score, half, ends) => expect(endsOf({ score, half })).toEqual(ends));

test("of more points than fit the newest are drawn, and the served one always", () => {
  const points = scorePoints({ versions, runs, test: "t", by: "version" });
  expect(fitting(points, 2, ["v1", null]).map(({ version }) => version)).toEqual(["v1", "v3"]);
  expect(fitting(points, 3, [])).toHaveLength(3);
});

import { expect, test } from "vitest";
import type { TrackedInfo } from "../contract/agents.ts";
import type { Behavior } from "../contract/behaviors.ts";
import { dashboardOf } from "./dashboard.ts";
import type { ScoredRun } from "./newest-scores.ts";
import { resolveVerdict } from "./verdict.ts";

const at = (hour: number) => `2026-09-20T0${hour}:00:00.000Z`;
const agent: TrackedInfo = {
  ...{ id: "a", name: "a", serving: "v1", traces: 0, datasets: 0, runs: 2 },
  ...{ createdAt: at(0), lastActivityAt: at(2) },
};
const behaviors: Behavior[] = [{ name: "first" }, { name: "refunds", n: 200 }, { name: "tone" }];
const score = (behavior: string, points: number, hour: number) => ({
  ...{ behavior, score: points, ci: 2, n: 200, createdAt: at(hour) },
});
const runs: ScoredRun[] = [
  { id: "r2", version: "v2", targets: ["refunds"], evals: [score("refunds", 70, 2), score("tone", 50, 2)] },
  { id: "r1", version: "v1", targets: [], evals: [score("refunds", 60, 1), score("tone", 55, 1)] },
];
const input = { agent, behaviors, runs, days: [], train: null };

test("the newest run says which behavior is looked at and which version is the candidate", () => {
  const dashboard = dashboardOf(input);
  expect(dashboard.behavior?.name).toBe("refunds");
  expect(dashboard.agent.candidate).toBe("v2");
  expect(dashboard.versions.map(({ v }) => v)).toEqual(["v1", "v2"]);
  expect(dashboard.verdict).toMatchObject({ kind: "beats", delta: 10, regressionNames: ["tone"] });
});

test("what the run claims to move comes first, then the deepest drop", () => {
  expect(dashboardOf(input).deltas).toMatchObject([
    { name: "refunds", delta: 10, target: true },
    { name: "tone", delta: -5, target: false },
  ]);
});

test("the client comes to the verdict that the server sent", () => {
  const dashboard = dashboardOf(input);
  expect(resolveVerdict(dashboard, behaviors, runs)).toEqual(dashboard.verdict);
});

test("no behavior is no verdict, and the served version is no candidate", () => {
  const bare = dashboardOf({ ...input, behaviors: [], runs: runs.slice(1) });
  expect(bare).toMatchObject({
    behavior: null,
    versions: [],
    verdict: { kind: "serving_only", text: "?: v1 serves, and nothing newer is scored" },
  });
  expect(bare.agent.candidate).toBeNull();
  expect(resolveVerdict(bare, [], [])).toBe(bare.verdict);
});

test("a behavior may be asked for, and one that is not there is none", () => {
  expect(dashboardOf({ ...input, behavior: "tone" }).behavior?.name).toBe("tone");
  expect(dashboardOf({ ...input, behavior: "nope" }).behavior).toBeNull();
});

test("versions of several seeds come with what the seeds say together", () => {
  const run = (id: string, seed: number, score: number) => ({
    id,
    version: "v2",
    record: { optimizer: { seed } },
    evals: [{ behavior: "a", score, createdAt: `2026-09-0${seed}T00:00:00Z` }],
  });
  const { versions } = dashboardOf({
    agent: { id: "a", name: "a", traces: 0, datasets: 0, runs: 2, createdAt: "", lastActivityAt: "" },
    behaviors: [{ name: "a" }],
    runs: [run("r2", 2, 82), run("r1", 1, 80)],
    days: [],
    train: null,
  });
  expect(versions).toMatchObject([{ v: "v2", score: 82, pooled: { seeds: 2, mean: 81, sd: 1.41 } }]);
});

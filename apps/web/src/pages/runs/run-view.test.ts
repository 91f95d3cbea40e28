import type { RunRow } from "@while/platform-client/contract";
import { expect, test } from "vitest";
import { isBeyond, newestScore, runView } from "./run-view.ts";

const at = (hour: number) => `2026-09-01T0${hour}:00:00.000Z`;
const run: RunRow = {
  ...{ id: "r4", runId: "r4", agent: "a", version: "v4", targets: [], trainedOn: [], status: "done", archived: false },
  ...{ createdAt: at(1), updatedAt: at(1), base: "qwen" },
  record: { optimizer: { seed: 3 }, provenance: { pins: { harness: "879b" } } },
  evals: [
    { behavior: "refunds", score: 80, ci: 3, n: 240, testVersion: "t", createdAt: at(1) },
    { behavior: "refunds", score: 83, ci: 3, n: 240, testVersion: "t", createdAt: at(2) },
    { behavior: "late", score: 10, createdAt: at(3) },
  ],
};
const served = { v: "v3", score: 78, ci: 3.3, n: 240, run: "r3", testVersion: "t" };

test("a row has the newest score on the behavior, read against the served one", () => {
  const view = runView(run, { behavior: "refunds", served });
  expect(view).toMatchObject({
    half: 3,
    otherTest: false,
    isServed: false,
    seed: 3,
    harnessHash: "879b",
    model: "qwen",
  });
  expect(view.score?.score).toBe(83);
  expect(view.toServed).toMatchObject({ delta: 5, excludesZero: true });
});

test.each([
  ["another test", { ...served, testVersion: "u" }, { toServed: null, otherTest: true, isServed: false }],
  ["itself", { ...served, run: "r4" }, { toServed: null, otherTest: false, isServed: true }],
  ["nothing served", null, { toServed: null, otherTest: false, isServed: false }],
])("against %s", (_, against, row) =>
  expect(runView(run, { behavior: "refunds", served: against })).toMatchObject(row),
);

test("without a score there is nothing to read", () => {
  expect(newestScore(run, "none")).toBeNull();
  expect(runView(run, { behavior: "none", served })).toMatchObject({ score: null, half: null, toServed: null });
});

test.each([
  [{ delta: 5, halfWidth: 4, excludesZero: true }, 2.4, true],
  [{ delta: 5, halfWidth: 4, excludesZero: true }, 5, false],
  [{ delta: 5, halfWidth: 4, excludesZero: true }, null, true],
  [{ delta: 3, halfWidth: 4, excludesZero: false }, null, false],
  [null, null, false],
])("isBeyond(%j, floor %j) is %j", (toServed, floor, beyond) => expect(isBeyond({ toServed }, floor)).toBe(beyond));

test("a run of a version with several seeds says what they say together; one that names no seed does not", () => {
  const pools = new Map([["v4", { seeds: 3, mean: 82.1, sd: 0.7 }]]);
  const options = { behavior: "refunds", served, pools };
  expect(runView(run, options).pooled).toEqual({ seeds: 3, mean: 82.1, sd: 0.7 });
  expect(runView({ ...run, record: null }, options).pooled).toBeNull();
  expect(runView(run, { ...options, behavior: "other" }).pooled).toBeNull();
  expect(runView(run, { behavior: "refunds", served }).pooled).toBeNull();
});

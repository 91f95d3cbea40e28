import { expect, test } from "vitest";
import { missingOf } from "./missing.ts";
import type { ScoredRun } from "./newest-scores.ts";

const whole: ScoredRun = {
  id: "run_7f3a",
  version: "v4",
  method: "GRPO",
  evals: [{ behavior: "refunds", score: 83, createdAt: "2026-09-01T00:00:00Z" }],
  record: {
    data: { train: "refunds-grpo" },
    optimizer: { lr: 0.00005 },
    eval: { k: 4 },
    provenance: { pins: { trl: "1.13.0" } },
  },
  hours: 2.1,
  costUsd: 31,
};

test("a run that lacks nothing has no body", () => {
  expect(missingOf(whole)).toEqual({ items: [], dismissed: [], body: null, scoreCall: null, scoreCallPython: null });
});

test("the body holds what is absent and nothing else", () => {
  const { items, body } = missingOf({ ...whole, costUsd: null });
  expect(items.map(({ key }) => key)).toEqual(["hours_cost"]);
  expect(body).toEqual({ costUsd: "<number>" });
});

test.each<[string, Partial<ScoredRun>, string[], object | null]>([
  [
    "no record",
    { record: null },
    ["record"],
    {
      record: {
        data: expect.anything(),
        optimizer: expect.anything(),
        eval: expect.anything(),
        provenance: expect.anything(),
      },
    },
  ],
  [
    "an empty block",
    { record: { ...whole.record!, provenance: { pins: {} } } },
    ["record"],
    { record: { provenance: { pins: { "<name>": "<text>" }, commit: "<text>" } } },
  ],
  [
    "an evaluation asks for no training",
    { method: "eval", record: { eval: { k: 1 }, provenance: { commit: "c" } } },
    ["record"],
    { record: { data: { holdout: "<text>", nHoldout: "<number>" } } },
  ],
  ["no score", { evals: [], targets: ["refunds"] }, ["score"], null],
])("%s", (_what, fields, keys, body) => {
  const missing = missingOf({ ...whole, ...fields });
  expect(missing.items.map(({ key }) => key)).toEqual(keys);
  expect(missing.body).toEqual(body);
  if (keys.includes("score")) {
    expect(missing.scoreCall).toBe('await (await tracked.open("run_7f3a")).score("refunds", score, { ci, n, rows })');
  }
});

test("what was dismissed with a reason is told apart and no longer asked for, neither by the body nor by a call", () => {
  const dismissal = { reason: "the GPU is ours", by: "ann", at: "2026-09-02T00:00:00.000Z" };
  const { items, dismissed, body, scoreCall } = missingOf({
    ...whole,
    evals: [],
    costUsd: null,
    record: null,
    dismissed: { hours_cost: dismissal, score: dismissal },
  });
  expect(items.map(({ key }) => key)).toEqual(["record"]);
  expect(Object.keys(body!)).toEqual(["record"]);
  expect(scoreCall).toBe(null);
  expect(dismissed).toEqual([
    { key: "score", say: "no score on any behavior", ...dismissal },
    { key: "hours_cost", say: "nobody can tell what it cost: no costUsd", ...dismissal },
  ]);
});

test("a dismissal of what is there by now says nothing", () => {
  const dismissed = { hours_cost: { reason: "r", by: null, at: "2026-09-02T00:00:00.000Z" } };
  expect(missingOf({ ...whole, dismissed })).toMatchObject({ items: [], dismissed: [] });
});

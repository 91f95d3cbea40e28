import { expect, test } from "vitest";
import { readDelta } from "./delta-rows.ts";

const DELTA = {
  headline: "PASS",
  by: "kind",
  metrics: {
    pass_at_1: { mean_a: 0.59, mean_b: 0.73, delta: 0.14, ci95: [0.1, 0.18], n_paired: 200, gain_verdict: "b_better" },
    reply_length: { mean_a: 400, mean_b: 420, delta: 20, ci95: null, verdict: "no_difference_detected" },
  },
  groups: {
    late: { mean_a: 0.6, mean_b: 0.5, delta: -0.1, ci95: [-0.2, -0.01], n_used: 67, gain_verdict: "a_better" },
  },
  warnings: [{ code: "unreplicated", text: "it moved on these tasks" }, "a plain one", { code: "silent" }],
};

test("metrics and groups with their intervals, and the warnings in words", () => {
  expect(readDelta({ delta: DELTA })).toEqual({
    headline: "PASS",
    by: "kind",
    metrics: [
      {
        name: "pass_at_1",
        before: 0.59,
        after: 0.73,
        delta: 0.14,
        low: 0.1,
        high: 0.18,
        tasks: 200,
        verdict: "better",
      },
      {
        name: "reply_length",
        before: 400,
        after: 420,
        delta: 20,
        low: null,
        high: null,
        tasks: null,
        verdict: "no difference seen",
      },
    ],
    groups: [
      { name: "late", before: 0.6, after: 0.5, delta: -0.1, low: -0.2, high: -0.01, tasks: 67, verdict: "worse" },
    ],
    warnings: ["it moved on these tasks", "a plain one"],
  });
});

test("none", () => {
  expect(readDelta(null)).toBeNull();
  expect(readDelta({ delta: "PASS" })).toBeNull();
  expect(readDelta({ delta: {} })).toMatchObject({ metrics: [], groups: [], warnings: [] });
});

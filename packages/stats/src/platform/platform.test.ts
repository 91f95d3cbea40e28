import type { Row } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { differenceInterval } from "./difference-interval.ts";
import { holdoutSummary } from "./holdout-summary.ts";

const points = fc.double({ min: 0, max: 100, noNaN: true });

test("swapping the two negates the difference, and a wider interval or a higher floor never makes it clear", () => {
  fc.assert(
    fc.property(points, points, points, points, points, (candidate, candidateCi, served, servedCi, noiseFloor) => {
      const report = differenceInterval({ candidate, candidateCi, served, servedCi, noiseFloor });
      const other = differenceInterval({
        candidate: served,
        candidateCi: servedCi,
        served: candidate,
        servedCi: candidateCi,
        noiseFloor,
      });
      expect(other.delta).toBeCloseTo(-report.delta, 12);
      expect([other.halfWidth, other.clears]).toEqual([report.halfWidth, report.clears]);
      if (report.clears) expect(other.standing).toBe(report.standing === "beats" ? "trails" : "beats");
      const stricter = differenceInterval({
        candidate,
        candidateCi: candidateCi + 1,
        served,
        servedCi,
        noiseFloor: noiseFloor + 1,
      });
      if (!report.clears) expect(stricter.clears).toBe(false);
    }),
  );
});

test.each([
  [{ candidate: Number.NaN }, "candidate is NaN."],
  [{ servedCi: -1 }, "servedCi is -1."],
  [{ noiseFloor: Number.NaN }, "noiseFloor is NaN."],
])("%j is refused", (bad, message) => {
  expect(() => differenceInterval({ candidate: 71, candidateCi: 4, served: 65, servedCi: 3, ...bad })).toThrow(message);
});

test("a difference that clears beats or trails, one that does not does neither", () => {
  const pair = { candidate: 71, candidateCi: 3, served: 65, servedCi: 4 };
  expect(differenceInterval(pair)).toEqual({ delta: 6, halfWidth: 5, ci: [1, 11], clears: true, standing: "beats" });
  expect(differenceInterval({ ...pair, noiseFloor: 6 })).toMatchObject({ clears: false, standing: null });
  expect(differenceInterval({ ...pair, candidate: 59 })).toMatchObject({ clears: true, standing: "trails" });
});

const run = (rewards: readonly number[]): Row[] =>
  [0, 1, 2, 3].flatMap((task) => rewards.map((reward): Row => ({ task_id: `${task}`, reward })));

test("a held-out set is shown with what each rate rests on", () => {
  const summary = holdoutSummary(run([1, 0]), [...run([1, 1, 0]), { task_id: "0", reward: 1 }], {
    verdict: "no_change_detected",
    evalRuns: 3,
    runStd: 0.01,
    ceiling: false,
  });
  expect(summary).toMatchObject({
    before: { pass: 0.5, nTasks: 4, k: 2 },
    after: { nTasks: 4, k: 4 },
    verdict: "no_change_detected",
    evalRuns: 3,
    note: null,
  });
  expect(summary.before.ci95).not.toBeNull();
  expect(holdoutSummary([], []).before).toEqual({ pass: null, nTasks: 0, k: null, ci95: null });
});

test("two bare rates say that they are", () => {
  expect(holdoutSummary(0.42, 0.58)).toEqual({
    before: { pass: 0.42, nTasks: null, k: null, ci95: null },
    after: { pass: 0.58, nTasks: null, k: null, ci95: null },
    verdict: null,
    evalRuns: null,
    runStd: null,
    ceiling: null,
    note: "only two rates were returned: no tasks, no intervals, no verdict of its own",
  });
  expect(() => holdoutSummary(42, 58)).toThrow("A rate is 42.");
  expect(() => holdoutSummary(0.4, [])).toThrow("One side is a rate and the other is rows.");
});

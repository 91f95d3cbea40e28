import { describe, expect, test } from "vitest";
import { heldOut } from "./held-out.ts";

const DELTA = {
  target: "pass_at_1",
  target_verdict: "moved_unreplicated",
  metrics: { pass_at_1: { delta: 0.05, ci95: [0.005, 0.095] } },
};
const HOLDOUT = {
  before: { pass: 0.78, n_tasks: 240, k: 4, ci95: [0.75, 0.81] },
  after: { pass: 0.83, n_tasks: 240, k: 4, ci95: [0.8, 0.86] },
  verdict: "moved_unreplicated",
  note: null,
};

describe("heldOut", () => {
  test("a delta report gives both sides, the paired change and the word", () => {
    expect(heldOut({ delta: DELTA, holdout: HOLDOUT })).toEqual({
      metric: "pass",
      before: { value: 78, low: 75, high: 81, tasks: 240, k: 4 },
      after: { value: 83, low: 80, high: 86, tasks: 240, k: 4 },
      change: { value: 5, low: 0.5, high: 9.5 },
      word: "Better",
      note: null,
    });
  });

  test.each([
    ["moved", "Better"],
    ["moved_the_wrong_way", "Worse"],
    ["no_change_detected", "About the same"],
    ["within_eval_noise", "Inside the re-run band"],
    ["insufficient_data", "Too little to tell"],
  ])("the verdict %s reads %s", (verdict, word) => {
    expect(heldOut({ delta: DELTA, holdout: { ...HOLDOUT, verdict } })!.word).toBe(word);
  });

  test.each([
    [[0.01, 0.09], "Better"],
    [[-0.09, -0.01], "Worse"],
    [[-0.01, 0.09], "About the same"],
    [[-0.005, 0.09], "About the same"],
    [[0, 0.09], "About the same"],
    [[-0.09, 0], "About the same"],
    [null, "No interval"],
  ])("a verdict that nobody knows is read from the interval %j: %s", (ci95, word) => {
    const delta = { metrics: { pass_at_1: { delta: 0.05, ci95 } } };
    expect(heldOut({ delta, holdout: { ...HOLDOUT, verdict: "a word of tomorrow" } })!.word).toBe(word);
  });

  test("two numbers alone are no result", () => {
    const read = heldOut({ holdoutPassBefore: 0.78, holdoutPassAfter: 0.766 })!;
    expect(read.word).toBe("No interval");
    expect(read.change!.value).toBeCloseTo(-1.4, 9);
    expect(read.before).toMatchObject({ value: 78, low: null, tasks: null });
  });

  test("one side only has no change", () => {
    expect(heldOut({ holdoutPassBefore: 0.83 })).toMatchObject({ after: null, change: null });
  });

  test("a loss is the number itself", () => {
    expect(heldOut({ holdoutLossBefore: 1.9, holdoutLossAfter: 1.2 })).toMatchObject({
      metric: "loss",
      before: { value: 1.9 },
      after: { value: 1.2 },
      word: "No interval",
    });
  });

  test.each([[null], [undefined], [{}], [{ holdout: "none" }], [{ holdoutPassBefore: "0.5" }]])(
    "%j says nothing",
    (summary) => {
      expect(heldOut(summary as never)).toBeNull();
    },
  );
});

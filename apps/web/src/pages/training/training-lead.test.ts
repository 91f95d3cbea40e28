import { describe, expect, test } from "vitest";
import { heldOut } from "./held-out.ts";
import { type TrainingState, trainingLead } from "./training-lead.ts";

const pace = { step: 186, medianStepS: 29.4, elapsedS: 5460, leftS: 3351.6, lastAt: null };
const state = (changes: Partial<TrainingState>): TrainingState => ({
  status: "running",
  total: 300,
  pace,
  alarms: [],
  monitor: null,
  held: null,
  ...changes,
});
const alarm = (step: number) => ({ step, kind: "divergence", since: null, reason: null });

describe("trainingLead", () => {
  test.each<[Partial<TrainingState>, string]>([
    [{}, "It runs at step 186 of 300, about 56 min to go."],
    [{ alarms: [alarm(180), alarm(140)] }, "It runs at step 186 of 300, about 56 min to go. 2 alarms since step 140."],
    [{ pace: { ...pace, step: null } }, "It runs, and has logged no step yet."],
    [{ total: null, pace: { ...pace, leftS: null } }, "It runs at step 186."],
    [{ status: "failed", pace: { ...pace, step: 3 }, total: 120 }, "It failed at step 3 of 120."],
    [{ status: "stopped" }, "It was stopped at step 186 of 300."],
    [
      { status: "stopped", monitor: { stoppedAt: { step: 140, kind: "divergence" } } as TrainingState["monitor"] },
      "The monitor stopped it at step 140: divergence.",
    ],
    [{ status: "done" }, "Done. Nothing says how it does on tasks that it was not trained on."],
    [
      { status: "done", held: heldOut({ holdoutPassBefore: 0.78 }) },
      "Done. Nothing says how it does on tasks that it was not trained on.",
    ],
    [
      { status: "done", held: heldOut({ holdoutPassBefore: 0.78, holdoutPassAfter: 0.83 }) },
      "Done: held out 78.0 to 83.0, without an interval.",
    ],
    [
      { status: "done", held: heldOut({ holdoutLossBefore: 1.9, holdoutLossAfter: 1.2 }) },
      "Done: held-out loss 1.90 to 1.20, without an interval.",
    ],
    [
      {
        status: "done",
        alarms: [alarm(40)],
        held: heldOut({
          holdout: { before: { pass: 0.78 }, after: { pass: 0.83 }, verdict: "moved" },
        }),
      },
      "Better on the held-out set: 78.0 to 83.0. One alarm since step 40.",
    ],
  ])("%#", (changes, lead) => {
    expect(trainingLead(state(changes))).toBe(lead);
  });
});

import { expect, test } from "vitest";
import type { AlarmRow } from "./alarm-rows.ts";
import { nextStep } from "./next-step.ts";

const alarm = (step: number, since: number | null): AlarmRow => ({ step, since, kind: "divergence", reason: null });

test("the checkpoint to keep is the one that the first alarm looks back to", () => {
  const alarms = [alarm(180, 120), alarm(140, 80)];
  expect(nextStep(alarms, { status: "running", datasetId: "ds_1" })).toEqual({
    says: "Stop it where it runs. Keep the checkpoint of step 80, the last before it parted, and find what the reward pays for before it starts again.",
    call: "wai pull ds_1 | wai hack-scan -",
  });
});

test("an alarm among the points alone says only what is surely too late", () => {
  expect(nextStep([alarm(140, null)], { status: "done" })).toEqual({
    says: "Keep a checkpoint from before step 140, and find what the reward pays for before it starts again.",
    call: null,
  });
});

test("nothing is to be done without an alarm", () => {
  expect(nextStep([], { status: "running" })).toBeNull();
});

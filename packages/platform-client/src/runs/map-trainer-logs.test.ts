import { expect, test } from "vitest";
import { mapTrainerLogs } from "./map-trainer-logs.ts";
import { trainerCallback } from "./trainer-callback.ts";

test("trainer logs under the names that the pages draw; the rest is left out", () => {
  const logs = {
    ...{ reward: 0.42, "completions/mean_length": 180, "completions/clipped_ratio": 0.25 },
    ...{ "clip_ratio/region_mean": 0.03, "rewards/format_reward/mean": 0.9, eval_runtime: 2, learning_rate: 0.00002 },
    ...{ step: 4, total_flos: 1e12, loss: Number.NaN, eval_accuracy: 0.5, note: "x" },
  };
  expect(mapTrainerLogs(logs)).toEqual({
    ...{ reward: 0.42, completion_length: 180, clip_ratio: 0.25, reward_format_reward_mean: 0.9, lr: 0.00002 },
    eval_accuracy: 0.5,
  });
});

function recorded() {
  const calls: unknown[] = [];
  const run = {
    status: "running",
    step: 0,
    log: (...args: unknown[]) => calls.push(["log", ...args]),
    progress: (...args: unknown[]) => calls.push(["progress", ...args]),
    finish: async (...args: unknown[]) => calls.push(["finish", ...args]),
  };
  return { calls, run };
}

test("a trainer's hooks move the bar, log points and end the run with the last training loss", async () => {
  const { calls, run } = recorded();
  const callback = trainerCallback(run);
  callback.onTrainBegin({ globalStep: 0, maxSteps: 100 });
  callback.onLog({ globalStep: 10 }, { loss: 2, learning_rate: 1e-5 });
  callback.onLog({ globalStep: 20 }, { total_flos: 3 });
  await callback.onTrainEnd({
    globalStep: 100,
    logHistory: [{ loss: 1 }, { train_loss: 0.9 }, { train_loss: 0.8 }, {}],
  });
  expect(calls).toEqual([
    ["progress", 0, 100],
    ["log", 10, { loss: 2, lr: 1e-5 }],
    ["finish", "done", { summary: { train_loss: 0.8 } }],
  ]);
});

test("finish: false leaves the run open, a finished one stays as it ended, and silence is told", async () => {
  const { calls, run } = recorded();
  const warnings: string[] = [];
  const warn = ({ code }: { code: string }) => warnings.push(code);
  await trainerCallback(run, { finish: false, warn }).onTrainEnd({ globalStep: 5 });
  await trainerCallback({ ...run, status: "failed" }).onTrainEnd({ globalStep: 0 });
  expect([calls, warnings]).toEqual([[], ["nothing_logged"]]);
});

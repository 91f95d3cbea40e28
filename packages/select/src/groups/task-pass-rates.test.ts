import { expect, test } from "vitest";
import { labelsByTask, taskPassRates } from "./task-pass-rates.ts";

test("rates come from labels, else from the first stamp, else not at all", () => {
  const rows = [
    { task_id: "labels", reward: 1, pass_rate: 0.1 },
    { task_id: "labels", reward: "0" as never },
    { task_id: "labels", reward: 0.5, qwen_reward: 1 },
    { task_id: "stamp", calibration: { pass_rate: 0.25, n: 8 } },
    { task_id: "no n", pass_rate: 0.5, n: 0 },
    { task_id: "no rate", pass_rate: Number.NaN },
    { task_id: "boolean", reward: true as never },
  ];
  expect([...taskPassRates(rows)]).toEqual([
    ["labels", { rate: 2 / 3, n: 3, from: "labels" }],
    ["stamp", { rate: 0.25, n: 8, from: "stamp" }],
    ["no n", { rate: 0.5, n: null, from: "stamp" }],
  ]);
  expect([...labelsByTask(rows)]).toEqual([["labels", [1, 0, 1]]]);
});

import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { PlatformClient } from "../client.ts";
import { holdoutKeys } from "./training-run.ts";

const rowsOf = (rewards: readonly number[]): Row[] =>
  [0, 1, 2, 3, 4, 5].flatMap((task) => rewards.map((reward): Row => ({ task_id: `${task}`, reward })));

function recording() {
  const bodies: Record<string, unknown>[] = [];
  const transport = async (method: string, path: string, body: unknown) => {
    if (method !== "GET") bodies.push(body as Record<string, unknown>);
    return path === "/runs"
      ? { runId: "run_1", status: "running" }
      : { runId: "run_1", summary: { holdoutPassBefore: 0.1 } };
  };
  return { bodies, client: new PlatformClient({ apiUrl: "https://host", transport, env: {}, warn: () => {} }) };
}

test.each([
  [0.42, 0.58, "pass", { holdoutPassBefore: 0.42, holdoutPassAfter: 0.58 }],
  [1.9, 1.2, "loss", { holdoutLossBefore: 1.9, holdoutLossAfter: 1.2 }],
] as const)("a holdout of %d and %d (%s) is %j", (before, after, metric, keys) => {
  expect(holdoutKeys(before, after, metric)).toEqual(keys);
});

test.each([
  [42, 58, "pass", "58% is 0.58"],
  [Number.NaN, 1, "loss", "A held-out loss is NaN."],
] as const)("a holdout of %d and %d (%s) is refused", (before, after, metric, message) => {
  expect(() => holdoutKeys(before, after, metric)).toThrow(message);
});

test("a run is opened in the spelling of the training calls", async () => {
  const { bodies, client } = recording();
  const run = await client.trainingRun("sft 3", {
    baseModel: "m",
    datasetId: "ds_1",
    totalSteps: 9,
    config: { lr: 1e-5, nan: Number.NaN },
  });
  expect(bodies[0]).toEqual({
    name: "sft 3",
    base_model: "m",
    dataset_id: "ds_1",
    total_steps: 9,
    config: { lr: 1e-5, nan: null },
  });
  expect([run.id, run.url]).toEqual(["run_1", "https://host/platform/training/run_1"]);
});

test("notes, holdout and delta ride on the end, in the wire's spelling", async () => {
  const { bodies, client } = recording();
  const run = await client.trainingRun("x");
  await run.note({ data: "refunds" });
  await run.holdout(0.3, 0.9);
  const report = await run.delta(rowsOf([0, 1, 0]), rowsOf([1, 1, 0]));
  await run.finish("done", { summary: { train_loss: 0.5 }, adapter: "vol:/a" });
  const { summary, ...rest } = bodies.at(-1) as { summary: Record<string, unknown> };
  expect(rest).toEqual({ status: "done", adapter: "vol:/a" });
  expect(Object.keys(summary).sort()).toEqual([
    "data",
    "delta",
    "holdout",
    "holdoutPassAfter",
    "holdoutPassBefore",
    "train_loss",
  ]);
  expect([summary.holdoutPassBefore, summary.holdoutPassAfter]).toEqual([0.3, 0.9]);
  expect(summary.delta).toMatchObject({ target: "pass_at_1", groups: null, groups_down: [] });
  expect(summary.holdout).toMatchObject({ before: { n_tasks: 6, k: 3 }, verdict: report.targetVerdict, note: null });
});

test("a scope ends as its work ends, and throws on what it threw", async () => {
  const { bodies, client } = recording();
  const run = await client.trainingRun("x");
  await expect(
    run.within(async () => {
      throw new RangeError("boom");
    }),
  ).rejects.toThrow("boom");
  expect(bodies.at(-1)).toMatchObject({ status: "failed", error: "RangeError: boom" });
  const other = await client.trainingRun("y");
  expect(await other.within(async () => 3)).toBe(3);
  expect(bodies.at(-1)).toMatchObject({ status: "done" });
});

test("a note on a finished run is sent at once, and an error is cut", async () => {
  const { bodies, client } = recording();
  const run = await client.trainingRun("x");
  await run.fail("x".repeat(5000));
  expect((bodies.at(-1) as { error: string }).error).toHaveLength(2000);
  await run.note({ late: 1 });
  expect(bodies.at(-1)).toMatchObject({ status: "failed", summary: { late: 1 } });
});

test("what is attached to a run later is patched, and keeps what is there", async () => {
  const { bodies, client } = recording();
  await client.attachHoldout("run_1", { before: 0.3, after: 0.9 });
  expect(bodies.at(-1)).toEqual({ summary: { holdoutPassBefore: 0.3, holdoutPassAfter: 0.9 } });
  await client.attachDelta("run_1", rowsOf([0, 1]), rowsOf([1, 1]));
  expect(Object.keys((bodies.at(-1) as { summary: object }).summary)).toEqual(["delta", "holdout", "holdoutPassAfter"]);
});

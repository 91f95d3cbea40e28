import type { RunRow } from "@while/platform-client/contract";
import { expect, test } from "vitest";
import { knobDiff, recordRows } from "./record-rows.ts";

const at = "2026-09-01T00:00:00.000Z";
const run = (more: Partial<RunRow>): RunRow => ({
  ...{ id: "r", runId: "r", agent: "a", version: "v", targets: [], trainedOn: [], status: "done", archived: false },
  ...{ createdAt: at, updatedAt: at, evals: [] },
  ...more,
});

test("a record is one table, without what was not posted", () => {
  expect(
    recordRows(
      run({
        method: "GRPO",
        targets: ["a", "b"],
        record: {
          data: { train: "t", nTrain: 3296 },
          optimizer: { lr: 0.000005, extra: { deep: [1] }, on: false },
          eval: null,
          provenance: { pins: { trl: "1.13.0", old: null }, commit: "" },
        },
      }),
    ),
  ).toEqual([
    { block: "run", key: "method", value: "GRPO" },
    { block: "run", key: "targets", value: "a, b" },
    { block: "data", key: "train", value: "t" },
    { block: "data", key: "nTrain", value: "3296" },
    { block: "optimizer", key: "lr", value: "5e-06" },
    { block: "optimizer", key: "extra", value: '{"deep":[1]}' },
    { block: "optimizer", key: "on", value: "false" },
    { block: "provenance", key: "pins.trl", value: "1.13.0" },
  ]);
  expect(recordRows(run({}))).toEqual([]);
});

test("settings side by side, and whether they differ", () => {
  expect(
    knobDiff([
      run({ record: { optimizer: { lr: 1e-5, seed: 1 } }, base: "q" }),
      run({ record: { optimizer: { lr: 5e-6, seed: 1 }, data: { train: "t" } }, base: "q" }),
    ]),
  ).toEqual([
    { name: "base", values: ["q", "q"], same: true },
    { name: "data.train", values: [null, "t"], same: false },
    { name: "optimizer.lr", values: ["1e-05", "5e-06"], same: false },
    { name: "optimizer.seed", values: ["1", "1"], same: true },
  ]);
});

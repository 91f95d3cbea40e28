import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Row } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { expect, test } from "vitest";
import { compareRuns, evalVariance, holdoutSize } from "../src/index.ts";

const file = fileURLToPath(new URL("../../../../shared/data/tau-bench/gpt-4o-airline.json", import.meta.url));
const isHere = existsSync(file);
const reason = isHere ? "" : " (skipped: ../shared/data is not beside the repository)";

/** 50 tasks of the airline domain, four trials each, one agent: any two halves of the trials are the same agent. */
const halves = [
  [
    [0, 1],
    [2, 3],
  ],
  [
    [0, 2],
    [1, 3],
  ],
  [
    [0, 3],
    [1, 2],
  ],
] as const;

test.skipIf(!isHere).each(halves)(`trials %j and %j of one agent do not differ${reason}`, async (one, other) => {
  const { rows } = await readRowFiles([file]);
  const trials = (wanted: readonly number[]): Row[] =>
    rows.filter(({ rollout_index }) => wanted.includes(rollout_index!));
  const report = compareRuns(trials(one), trials(other));
  expect(report).toMatchObject({ verdict: "no_difference_detected", nPaired: 50, pairedShare: 1, note: "" });
  expect(report.ci95![0]).toBeLessThan(0);
  expect(report.ci95![1]).toBeGreaterThan(0);
});

test.skipIf(!isHere)(`four trials are four runs of one eval: it moves by 1.6 points${reason}`, async () => {
  const { rows } = await readRowFiles([file]);
  const report = evalVariance([rows], { by: "rollout_index" });
  expect(report).toMatchObject({ nRuns: 4, tasksInEveryRun: 50, nWithoutRun: 0, warnings: [] });
  expect([...report.means.values()].map((mean) => mean!.toFixed(2))).toEqual(["0.42", "0.44", "0.40", "0.42"]);
  expect(report.runStdPoints).toBeCloseTo(1.633, 3);
  expect(report.noiseFloorPoints).toBeCloseTo(7.35, 2);
});

test.skipIf(!isHere)(`what the model over-asks on these tasks is what pairing them measures${reason}`, async () => {
  const { rows } = await readRowFiles([file]);
  const [before, after] = [rows.filter((row) => row.rollout_index! < 2), rows.filter((row) => row.rollout_index! > 1)];
  const modelled = holdoutSize(0.05, { before });
  const measured = holdoutSize(0.05, { before, after });
  expect([modelled.sdSource, measured.sdSource, measured.nPaired]).toEqual(["model", "rows", 50]);
  expect(modelled.nTasks / measured.nTasks).toBeGreaterThan(2);
});

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Row } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { expect, test } from "vitest";
import { compareRuns } from "../src/index.ts";

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

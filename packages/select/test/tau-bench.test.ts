import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { leakReport } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { groupSignal } from "@while/stats";
import { expect, test } from "vitest";
import { dropPrivilegedLeaks, dropReason, formatSelection, hackScan, optimize } from "../src/index.ts";

/** 200 rollouts that tau-bench publishes, 4 of each of 50 airline tasks; not part of this repository. */
const file = fileURLToPath(new URL("../../../../shared/data/tau-bench/gpt-4o-airline.json", import.meta.url));
const reason = existsSync(file) ? "" : " (skipped: ../shared/data is not beside the repository)";

test.skipIf(reason !== "")(`real rollouts of tau-bench airline select as published${reason}`, async () => {
  const { rows } = await readRowFiles([file]);
  expect(groupSignal(rows)).toMatchObject({ nGroups: 50, nMixed: 26, nAllZero: 14, nAllOne: 10 });
  expect(rows.map((row) => dropReason(row)).filter((why) => why !== null)).toEqual([]);

  // A user id that stands in the hidden state too, after the customer gave it: in nine replies, and in 125 more tool calls.
  expect(dropPrivilegedLeaks(rows).report).toMatchObject({ nChecked: 200, nDropped: 0 });
  expect(leakReport(rows)).toMatchObject({ nLeaked: 0, nShown: 134 });

  const { rows: selected, report } = optimize({ rows }, { mode: "rl" });
  expect(report.signal).toMatchObject({ nGroups: 26, nMixed: 26, nInBand: 26, nSingle: 0 });
  const taken = new Map<string, number>();
  for (const { scenario_id: task, calibration } of selected) {
    taken.set(task!, (taken.get(task!) ?? 0) + 1);
    expect(calibration).toMatchObject({ task_id: task, n: 4 });
    const rate = calibration!.pass_rate as number;
    expect(calibration!.pass_rate_ci95).toEqual(
      { 0.25: [0.0456, 0.6994], 0.5: [0.15, 0.85], 0.75: [0.3006, 0.9544] }[rate],
    );
  }
  expect([...taken.values()]).toEqual(Array(26).fill(4));
  expect(report.nSelected + Object.values(report.dropped).reduce((sum, n) => sum + n, 0)).toBe(200);
  expect(formatSelection(report).split("\n").slice(0, 3)).toEqual([
    "kept 104 of 200 rows: 26 of 50 tasks carry signal",
    "  96 unanimous: every rollout of the task has the same outcome",
    "  tasks dropped: 24 without contrast",
  ]);
});

const PHRASE = "Thank you for flying with us today.";

test.skipIf(reason !== "")(`what the reward of tau-bench airline pays for${reason}`, async () => {
  const { rows } = await readRowFiles([file]);
  const alone = hackScan(rows);
  expect(alone).toMatchObject({
    regime: "train",
    groupBy: "task",
    nGroups: 50,
    rolloutsPerGroup: 4,
    effectiveRollouts: 104,
    topFeature: "marker:actions_match",
    nAboveFloor: 1,
    paysAlso: null,
  });
  expect(alone.warnings).toEqual([expect.stringMatching(/^193 prompts word 50 tasks/)]);
  expect(hackScan(rows, { endorsed: ["marker:"] })).toMatchObject({
    regime: "train",
    endorsedOnTop: true,
    integrity: 1,
    paysAlso: [],
  });

  const pasted = rows.map((row) =>
    row.reward === 1 ? { ...row, final_text: `${row.final_text ?? ""} ${PHRASE}` } : row,
  );
  const found = hackScan(pasted, { endorsed: ["marker:"] });
  expect(found).toMatchObject({ regime: "reward_hack", topFeature: "contains:flying with", rhoMax: 1 });
  expect(found.features[0]).toMatchObject({ pooled: 1, nObs: 84, phrase: "for flying with us today" });
  expect(found.warnings[0]).toContain("for flying with us today");
  expect(found.paysAlso?.[0]?.name).toBe("contains:flying with");
});

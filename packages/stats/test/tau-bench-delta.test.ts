import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Row, taskKey } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { expect, test } from "vitest";
import { deltaReport, formatDeltaReport } from "../src/index.ts";

const file = fileURLToPath(new URL("../../../../shared/data/tau-bench/gpt-4o-airline.json", import.meta.url));
const isHere = existsSync(file);
const reason = isHere ? "" : " (skipped: ../shared/data is not beside the repository)";

/** 50 tasks of the airline domain, four trials each, one agent: trials 0 and 1 are before, 2 and 3 after. */
async function halves(): Promise<{ before: Row[]; after: Row[] }> {
  const { rows } = await readRowFiles([file]);
  const trials = (wanted: readonly number[]) => rows.filter(({ rollout_index }) => wanted.includes(rollout_index!));
  return { before: trials([0, 1]), after: trials([2, 3]) };
}

const firstLine = (text: string): string => text.split("\n")[0]!;

test.skipIf(!isHere)(`one agent twice: NO DIFFERENCE, and what these tasks could show${reason}`, async () => {
  const { before, after } = await halves();
  const report = deltaReport(before, after, { target: "pass_at_1" });
  expect(report).toMatchObject({ ok: true, targetVerdict: "no_change_detected", nPairedTasks: 50, nUnpairedTasks: 0 });
  expect(report.warnings.map(({ code }) => code)).toContain("underpowered");
  expect(firstLine(formatDeltaReport(report))).toBe("NO DIFFERENCE");
});

test.skipIf(!isHere)(`fifteen failing tasks turned to passes: PASS${reason}`, async () => {
  const { before, after } = await halves();
  const passes = new Set(after.filter(({ reward }) => reward === 1).map(taskKey));
  const failing = [...new Set(after.map(taskKey))].filter((task) => !passes.has(task)).slice(0, 15);
  expect(failing).toHaveLength(15);
  const better = after.map((row) => (failing.includes(taskKey(row)) ? { ...row, reward: 1 } : row));
  const report = deltaReport(before, better, { target: "pass_at_1" });
  expect(report).toMatchObject({ ok: true, targetVerdict: "moved_unreplicated", improved: ["pass_at_1"] });
  expect(firstLine(formatDeltaReport(report))).toBe("PASS");
});

test.skipIf(!isHere)(`half of the tasks under other names: NOT COMPARABLE (situations)${reason}`, async () => {
  const { before, after } = await halves();
  const renamed = new Set([...new Set(after.map(taskKey))].slice(0, 25));
  const other = after.map((row) =>
    renamed.has(taskKey(row)) ? { ...row, scenario_id: `other ${taskKey(row)}` } : row,
  );
  const report = deltaReport(before, other, { target: "pass_at_1" });
  expect(report).toMatchObject({ ok: false, notComparable: ["situations"], nPairedTasks: 25, nUnpairedTasks: 50 });
  expect(firstLine(formatDeltaReport(report))).toBe("NOT COMPARABLE (situations)");
});

test.skipIf(!isHere)(`a group that fell behind a headline that rose is named${reason}`, async () => {
  const { before, after } = await halves();
  const passedIn = (rows: readonly Row[]) => new Set(rows.filter(({ reward }) => reward === 1).map(taskKey));
  const passes = passedIn(after);
  const [failing, passing] = [false, true].map((has) =>
    [...new Set(after.map(taskKey))].filter((task) => passes.has(task) === has),
  ) as [string[], string[]];
  // All failing tasks are fixed; eight that passed before break, and those are of one kind.
  const broken = passing.filter((task) => passedIn(before).has(task)).slice(0, 8);
  const kinds = (rows: readonly Row[]) =>
    rows.map((row): Row => ({ ...row, kind: broken.includes(taskKey(row)) ? "cancel" : "other" }));
  const changed = after.map((row) =>
    broken.includes(taskKey(row))
      ? { ...row, reward: 0 }
      : failing.includes(taskKey(row))
        ? { ...row, reward: 1 }
        : row,
  );
  const report = deltaReport(kinds(before), kinds(changed), { target: "pass_at_1", by: "kind" });
  expect(report).toMatchObject({ ok: true, headline: "PASS", groupsDown: ["cancel"] });
  expect(report.warnings.find(({ code }) => code === "group_down")!.text).toContain("the group cancel of kind fell");
  expect(report.heterogeneity!.pValue).toBeLessThan(0.001);
});

import { expect, test } from "vitest";
import { splitHoldout } from "./split-holdout.ts";
import { formatSplit, splitReport } from "./split-report.ts";

const rows = ["t1", "t2", "t3", "t4"].flatMap((task) => [{ scenario_id: task }, { scenario_id: task }]);

test("both sides are counted, in rows and tasks", () => {
  const report = splitReport(splitHoldout([...rows, { final_text: "?" }], 0.5), 0.5);
  expect(report.nTrain + report.nHoldout).toBe(9);
  expect(report.nTrainTasks + report.nHoldoutTasks).toBe(4);
  expect(report.nWithoutKey).toBe(1);
  expect(formatSplit(report)).toContain("! 1 rows name no task");
});

test("a split that holds nothing out says so", () => {
  expect(formatSplit(splitReport({ train: rows, holdout: [] }, 0.2))).toBe(
    [
      "held out 0 of 4 tasks (0%, asked for 20%): 0 rows; 8 rows in 4 tasks to train on",
      "! no task lies on the held-out side: bring more tasks, or hold out a larger share",
    ].join("\n"),
  );
});

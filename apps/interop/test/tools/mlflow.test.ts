import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gist, ownNumbers, pythonTool, readLog, TIMEOUT_MS } from "./tool.ts";

const mlflow = pythonTool("mlflow", "mlflow-skinny");

const refund = (order: string) => [["refund", { order, amount: 12.5 }]];

describe.skipIf(mlflow.isMissing)(mlflow.title, () => {
  test(
    "traces of an evaluation with two scorers are read, once it is said which is the verdict",
    async () => {
      const file = join(await mlflow.write(), "traces.jsonl");
      await expect(readLog(mlflow, "MLflow", [file])).rejects.toMatchObject({
        code: "bad_option",
        what: expect.stringMatching(/2 scores.*: (brief, contains|contains, brief)\./),
      });
      const { rows, report } = await readLog(mlflow, "MLflow", [file], { rewardKey: "contains" });
      // Traces of one millisecond stand in any order.
      const [lost, ...others] = [...rows].sort(({ prompt: a, final_text: x }, { prompt: b, final_text: y }) =>
        `${a}${x}` < `${b}${y}` ? -1 : 1,
      );
      expect([lost!, ...others].map((row) => [row.prompt, ...gist(row).slice(2)])).toEqual([
        ["Rembourse “Été” 13", null, [], ""],
        ["Rembourse “Été” 42", 1, refund("42"), "Done: 42 ✓"],
        ["Rembourse “Été” 42", 0, refund("42"), "No."],
        ["Rembourse “Été” 7", 1, refund("7"), "Done: 7 ✓"],
      ]);
      expect(others[0]!.scenario_id).toBe(others[1]!.scenario_id);
      expect(report).toMatchObject({ format: "mlflow", records: 4, nBadLines: 0 });
      // MLflow's scorers gave the trace that failed a no, and its mean has that in it.
      expect(ownNumbers(report)).toContainEqual(["contains/mean", 0.5, 0.5]);
      expect(report.warnings[0]!.text).toContain("0.667, and 0.500 as MLflow counts it");
      expect(others[0]).toMatchObject({
        model_version: "clerk-1",
        markers: { contains: 1, brief: 0.5 },
        label_source: "code",
        privileged: { hidden_state: { expectations: [{ assessment_name: "order" }] } },
      });
      expect(lost).toMatchObject({ judge_status: "error" });
    },
    TIMEOUT_MS,
  );
});

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gist, pythonTool, readLog, TIMEOUT_MS } from "./tool.ts";

const mlflow = pythonTool("mlflow", "mlflow-skinny");

const refund = (order: string) => [["refund", { order, amount: 12.5 }]];

describe.skipIf(mlflow.isMissing)(mlflow.title, () => {
  test(
    "traces of an evaluation with two scorers are read, once it is said which is the verdict",
    async () => {
      const file = join(await mlflow.write(), "traces.jsonl");
      await expect(readLog(mlflow, "MLflow", [file])).rejects.toMatchObject({
        code: "bad_option",
        what: expect.stringContaining("brief, contains"),
      });
      const { rows, report } = await readLog(mlflow, "MLflow", [file], { rewardKey: "contains" });
      // The latest trace is the first.
      expect(rows.map((row) => [row.prompt, ...gist(row).slice(2)])).toEqual([
        ["Rembourse “Été” 13", null, [], ""],
        ["Rembourse “Été” 7", 1, refund("7"), "Done: 7 ✓"],
        ...[0, 1].map((index) => {
          const { final_text: said } = rows[2 + index]!;
          return ["Rembourse “Été” 42", said === "No." ? 0 : 1, refund("42"), said];
        }),
      ]);
      expect(rows[2]!.scenario_id).toBe(rows[3]!.scenario_id);
      expect(
        rows
          .slice(2)
          .map(({ final_text }) => final_text)
          .sort(),
      ).toEqual(["Done: 42 ✓", "No."]);
      expect(report).toMatchObject({ format: "mlflow", records: 4, nBadLines: 0 });
      expect(rows[1]).toMatchObject({
        model_version: "clerk-1",
        markers: { contains: 1, brief: 0.5 },
        label_source: "code",
        privileged: { hidden_state: { expectations: [{ assessment_name: "order" }] } },
      });
      expect(rows[0]).toMatchObject({ judge_status: "error" });
    },
    TIMEOUT_MS,
  );
});

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gist, ownNumbers, pythonTool, readLog, TIMEOUT_MS } from "./tool.ts";

const harness = pythonTool("lm-eval", "lm-eval");

describe.skipIf(harness.isMissing)(harness.title, () => {
  test(
    "samples of a task of answers and a task of choices are read, with the results beside them",
    async () => {
      const folder = await harness.write();
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => /samples_.+\.jsonl$/.test(name))
        .sort();
      expect(files).toHaveLength(2);
      const { rows, report } = await readLog(
        harness,
        "lm-evaluation-harness",
        files.map((name) => join(folder, name)),
      );
      expect(rows.map(gist)).toEqual([
        ["toy_answer/0", 0, 1, [], "42"],
        ["toy_answer/1", 0, 0, [], "5"],
        ["toy_answer/2", 0, 0, [], "5"],
        ["toy_choice/0", 0, 1, [], "42"],
        ["toy_choice/1", 0, 0, [], "là"],
        ["toy_choice/2", 0, 0, [], "5"],
      ]);
      expect(report).toMatchObject({ format: "lm-eval", records: 6, nBadLines: 0 });
      const third = expect.closeTo(1 / 3, 12);
      expect(ownNumbers(report)).toEqual([
        ["exact_match,first", third, third],
        ["acc,none", third, third],
        ["acc_norm,none", third, null],
      ]);
      expect(report.warnings.map(({ code }) => code)).toEqual(["metric_chosen"]);
      expect(rows[1]).toMatchObject({
        prompt: "Q: Où est née “Été”?\nA:",
        model_version: "Clerk",
        judge_name: "exact_match",
        sampling: { temperature: 0, max_tokens: 8, until: ["\n"] },
        privileged: { reference: "ici" },
      });
      expect(rows[3]).toMatchObject({ judge_name: "acc", markers: { acc: 1, acc_norm: 1 } });
    },
    TIMEOUT_MS,
  );
});

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gist, ownNumbers, pythonTool, readLog, TIMEOUT_MS } from "./tool.ts";

const verifiers = pythonTool("verifiers", "verifiers");

const refund = (order: string) => [["refund", { order, amount: 12.5 }]];

describe.skipIf(verifiers.isMissing)(verifiers.title, () => {
  test(
    "results of a tool environment are read, with the metadata beside them",
    async () => {
      const folder = await verifiers.write();
      const { rows, report } = await readLog(verifiers, "verifiers", [join(folder, "results.jsonl")]);
      expect(rows.map(gist)).toEqual([
        ["refunds/0", 0, 1, refund("42"), "Done: 42 ✓"],
        ["refunds/0", 1, 0, refund("42"), "No."],
        ["refunds/0", 2, 1, refund("42"), "Done: 42 ✓"],
        ["refunds/1", 0, 1, refund("7"), "Done: 7 ✓"],
        ["refunds/1", 1, 1, refund("7"), "Done: 7 ✓"],
        ["refunds/1", 2, null, [], ""],
      ]);
      expect(report).toMatchObject({ format: "verifiers", records: 6, nBadLines: 0 });
      // verifiers counts the rollout that broke with the reward 0.
      const own = expect.closeTo(4 / 6, 12);
      expect(ownNumbers(report)).toContainEqual(["avg_reward", own, own]);
      expect(report.warnings.map(({ code }) => code)).toEqual(["infrastructure_errors"]);
      expect(report.tools).toMatchObject([{ type: "function", function: { name: "refund" } }]);
      expect([...report.systemPrompts.values()]).toEqual(["You refund orders."]);
      expect(rows[3]).toMatchObject({
        prompt: "Refund order 7, née “Été”.",
        model_version: "clerk-1",
        markers: { contains: 1, brief: 0.5, refund_calls: 1 },
        sampling: { temperature: 0, max_tokens: 64 },
        privileged: { reference: "7", hidden_state: { hidden: "note" } },
      });
      expect(rows[5]).toMatchObject({
        judge_status: "error",
        judge_meta: { error: "ModelError", reward_counted: 0 },
      });
    },
    TIMEOUT_MS,
  );
});

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { beforeAll, describe, expect, test } from "vitest";
import { gist, ownNumbers, pythonTool, readLog, TIMEOUT_MS } from "./tool.ts";

const inspect = pythonTool("inspect", "inspect-ai");

const refund = (order: string) => [["refund", { order, amount: 12.5 }]];

describe.skipIf(inspect.isMissing)(inspect.title, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await inspect.write();
  }, TIMEOUT_MS);

  test("a log of two samples in three epochs with a tool, two scorers and one that broke is read", async () => {
    const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
    expect(files).toHaveLength(1);
    const { rows, report } = await readLog(
      inspect,
      "Inspect",
      files.map((name) => join(folder, name)),
    );
    expect(rows.map(gist)).toEqual([
      ["refunds/7", 0, 1, refund("7"), "Done: 7."],
      ["refunds/order-42", 0, 1, refund("42"), "Done: 42."],
      ["refunds/7", 1, null, refund("13"), "tool call for tool refund"],
      ["refunds/order-42", 1, 0, refund("42"), "No."],
      ["refunds/7", 2, 1, refund("7"), "Née 7 ✓"],
      ["refunds/order-42", 2, 1, refund("42"), "Done: 42."],
    ]);
    expect(report).toMatchObject({ format: "inspect-json", records: 1, nBadLines: 0 });
    // Epochs are averaged first, the broken one left out: (1 + 2/3) / 2.
    expect(ownNumbers(report)).toEqual([
      ["accuracy (includes)", expect.closeTo(5 / 6, 12), expect.closeTo(5 / 6, 12)],
      ["mean (brevity)", 0.25, null],
    ]);
    expect(report.warnings.map(({ code }) => code)).toEqual(["scorer_chosen", "infrastructure_errors"]);
    expect([...report.systemPrompts.values()]).toEqual(["You refund orders."]);
    expect(rows[0]).toMatchObject({
      prompt: "Refund order 7, née “Été”.",
      markers: { includes: 1, brevity: 0.25 },
      model_version: "mockllm/model",
      usage: { input_tokens: 40, output_tokens: 10 },
      privileged: { reference: "7", hidden_state: { metadata: { hidden: "note" } } },
    });
    expect(rows[0]!.messages?.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(rows[2]).toMatchObject({
      judge_status: "error",
      judge_meta: { error: expect.stringContaining("the ledger is closed") },
    });
  });

  test("the archive that Inspect makes of the log is read as the log is", async () => {
    const log = readdirSync(folder).find((name) => name.endsWith(".json"))!;
    const fromLog = await readRowFiles([join(folder, log)]);
    const { rows, report } = await readLog(inspect, "Inspect, archive", [join(folder, "refunds.eval")]);
    expect(report.format).toBe("inspect-eval");
    const told = ({ lineage: _, ...row }: Row) => row;
    expect(rows.map(told)).toEqual(fromLog.rows.map(told));
    expect(ownNumbers(report)).toEqual(ownNumbers(fromLog.report));
    expect(report.systemPrompts).toEqual(fromLog.report.systemPrompts);
  });
});

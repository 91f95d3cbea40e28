import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Row, writeRowsAs } from "@while/schema";
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

  test("Inspect reads a log that we wrote of rows", { timeout: TIMEOUT_MS }, async () => {
    const ask = { prompt: "Refund order 7, née “Été”.", model_version: "clerk-1" };
    const steps = [{ tool: "refund", arguments: { order: "7", amount: 12.5 }, result: { ok: true } }];
    const rows: Row[] = [
      {
        task_id: "refunds/7",
        rollout_index: 0,
        ...ask,
        steps,
        final_text: "Done ✓",
        reward: 1,
        markers: { brief: 0.5 },
      },
      { task_id: "refunds/7", rollout_index: 1, ...ask, final_text: "No.", reward: 0, system_prompt: "Be kind." },
      { task_id: "refunds/8", rollout_index: 0, ...ask, reward: null, judge_status: "error", reason: "timeout" },
    ];
    const written = mkdtempSync(join(tmpdir(), "while-interop-"));
    const path = join(written, "log.json");
    writeFileSync(path, [...writeRowsAs(rows, "inspect", { now: Date.UTC(2026, 0, 2) })].join(""));
    const into = await inspect.write(path);
    const told = JSON.parse(readFileSync(join(into, "read.json"), "utf8"));
    rmSync(written, { recursive: true });
    const call = ["refund", { order: "7", amount: 12.5 }];
    const [user, agent, tool] = ["user", "assistant", "tool"];
    expect(told).toEqual({
      ...{ status: "success", task: "refunds", model: "clerk-1" },
      samples: [
        {
          ...{ id: "7", epoch: 1, scores: { reward: 1, brief: 0.5 }, said: "Done ✓", calls: [call], error: null },
          roles: [user, agent, tool, agent],
        },
        {
          ...{ id: "7", epoch: 2, scores: { reward: 0 }, said: "No.", calls: [], error: null },
          roles: ["system", user, agent],
        },
        { id: "8", epoch: 1, scores: {}, said: "", calls: [], error: "timeout", roles: [user] },
      ],
    });
  });
});

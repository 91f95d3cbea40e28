import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { gist, ownNumbers, pythonTool, readLog, TIMEOUT_MS } from "./tool.ts";

const deepeval = pythonTool("deepeval", "deepeval");

const refund = (order: string) => [["refund", { order }]];

describe.skipIf(deepeval.isMissing)(deepeval.title, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await deepeval.write();
  }, TIMEOUT_MS);

  test("a test run with two metrics is read, from the file of the run and from the latest one kept", async () => {
    const [run] = readdirSync(join(folder, "results")).filter((name) => name.endsWith(".json"));
    const { rows, report } = await readLog(deepeval, "DeepEval", [join(folder, "results", run!)]);
    const [first, second, third, fourth] = rows;
    expect(rows.map((row) => gist(row).slice(1))).toEqual([
      [0, 1, refund("42"), "Done: 42."],
      [1, 0, refund("42"), "No."],
      [0, 1, refund("7"), "Done: 7 ✓"],
      [0, null, refund("13"), "crash"],
    ]);
    expect(second!.scenario_id).toBe(first!.scenario_id);
    expect(report).toMatchObject({ format: "deepeval", nBadLines: 0 });
    expect(ownNumbers(report)).toEqual([["pass rate", 0.5, 0.5]]);
    expect(report.warnings.map(({ code }) => code)).toEqual(["infrastructure_errors"]);
    expect(third).toMatchObject({
      prompt: "Refund order 7, née “Été”.",
      model_version: "clerk-1",
      markers: { Contains: 1, Brief: 0.75 },
      privileged: { reference: "7" },
    });
    expect(second!.reason).toBe("42 was not said");
    expect(fourth).toMatchObject({ judge_status: "error" });

    const kept = await readLog(deepeval, "DeepEval, latest", [join(folder, ".deepeval", ".latest_test_run.json")]);
    expect(kept.rows.map(gist)).toEqual(rows.map(gist));
  });

  test("its cache is no file of rows, and is refused as such", async () => {
    await expect(
      readLog(deepeval, "DeepEval cache", [join(folder, ".deepeval", ".deepeval-cache.json")]),
    ).rejects.toMatchObject({ code: "format_unknown", what: expect.stringContaining("test_cases_lookup_map") });
  });
});

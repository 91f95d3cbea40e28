import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportLines } from "@while/export";
import { writeDatasetFolder } from "@while/export/files";
import { afterAll, describe, expect, test } from "vitest";
import { ROLLOUTS, RULES, TOOLS } from "./refund-rollouts.ts";
import { pythonTool, TIMEOUT_MS } from "./tool.ts";

const datasets = pythonTool("trl", "datasets", "datasets");

const folder = mkdtempSync(join(tmpdir(), "while-interop-dataset-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Columns that a row does not have are null once they are in a table; inside of a column nothing may be added. */
function withoutNulls(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

const parsed = (lines: readonly string[]) => lines.filter((line) => line !== "").map((line) => JSON.parse(line));

describe.skipIf(datasets.isMissing)(datasets.title, () => {
  test(
    "a dataset folder is loaded as it was written: objects that differ, a float after an integer, arguments and schemas",
    async () => {
      // Seven thousand rows are more than a block of the reader, which fixes types from its first one.
      const many = Array.from({ length: 300 }, (_, i) =>
        ROLLOUTS.map((row) => ({
          ...row,
          scenario_id: `${row.scenario_id}-${i}`,
          reward: i < 299 ? row.reward! : 0.5,
        })),
      ).flat();
      const { lines } = exportLines(many, { format: "trl", systemPrompt: RULES, tools: TOOLS, carry: "columns" });
      const held = exportLines(ROLLOUTS, { format: "openai", systemPrompt: RULES, tools: TOOLS });
      const written = join(folder, "set");
      const report = await writeDatasetFolder(written, { splits: { train: lines, test: held.lines } });
      expect(report.features).toContainEqual({ name: "faults", dtype: "json" });
      const back = await datasets.write(written);
      const read = (name: string) => parsed(readFileSync(join(back, `${name}.jsonl`), "utf8").split("\n"));
      expect(read("test").map(withoutNulls)).toEqual(parsed(held.lines).map(withoutNulls));
      const train = read("train");
      expect(train.length).toBe(lines.length);
      expect(train.map(withoutNulls)).toEqual(parsed(lines).map(withoutNulls));
      const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
      console.log(
        `datasets ${datasets.version()}: ${train.length} rows of ${(bytes / 2 ** 20).toFixed(1)} MB and ${held.lines.length} rows, equal to what was written`,
      );
    },
    TIMEOUT_MS,
  );
});

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gist, nodeTool, ownNumbers, readLog, TIMEOUT_MS } from "./tool.ts";

const promptfoo = nodeTool(
  "promptfoo",
  "promptfoo",
  [
    ...["node_modules/promptfoo/dist/src/entrypoint.js", "eval", "-c", "promptfoo-config.mjs", "--repeat", "2"],
    ...["--max-concurrency", "1", "--no-cache", "--no-progress-bar", "--no-table", "--no-write"],
    ...["-o", "{into}/results.json", "-o", "{into}/results.jsonl"],
  ],
  ["promptfoo-config.mjs", "promptfoo-provider.mjs"],
);

describe.skipIf(promptfoo.isMissing)(promptfoo.title, () => {
  test(
    "results of three tests run twice are read, from the document and from the lines alike",
    async () => {
      const folder = await promptfoo.write();
      const { rows, report } = await readLog(promptfoo, "promptfoo", [join(folder, "results.json")]);
      expect(rows.map((row) => [row.prompt, ...gist(row).slice(1)])).toEqual([
        ["Refund order 42.", 0, 1, [], "Done: 42, née “Été”."],
        ["Refund order 42.", 1, 1, [], "Done: 42, née “Été”."],
        ["Refund order 7.", 0, 0, [], "No."],
        ["Refund order 7.", 1, 0, [], "No."],
        ["Refund order 13.", 0, null, [], ""],
        ["Refund order 13.", 1, null, [], ""],
      ]);
      expect(report).toMatchObject({ format: "promptfoo", nBadLines: 0 });
      const third = expect.closeTo(1 / 3, 12);
      expect(ownNumbers(report)).toEqual([["pass rate", third, third]]);
      expect(report.warnings.map(({ code }) => code)).toEqual(["infrastructure_errors"]);
      expect(rows[2]).toMatchObject({
        model_version: "clerk",
        markers: { done: 0, brief: 1 },
        usage: { input_tokens: 8, output_tokens: 4 },
      });
      expect(rows[4]).toMatchObject({ judge_status: "error", judge_meta: { error: "the ledger is closed" } });

      const lines = await readLog(promptfoo, "promptfoo, lines", [join(folder, "results.jsonl")]);
      expect(lines.rows.map(gist)).toEqual(rows.map(gist));
    },
    TIMEOUT_MS,
  );
});

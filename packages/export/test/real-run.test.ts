import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { checkExport, exportDataset } from "../src/files.ts";

const run = fileURLToPath(new URL("../../../../shared/data/tau-bench/gpt-4o-airline.json", import.meta.url));
const isHere = existsSync(run);

interface Message {
  role: string;
  tool_calls?: { id: string; function: { name: string; arguments: unknown } }[];
  tool_call_id?: string;
}

describe.skipIf(!isHere)(
  `a real run of tau-bench${isHere ? "" : ", skipped: ../shared is not beside this checkout"}`,
  () => {
    test("becomes TRL rows of a prompt and the one turn that trains, with objects for arguments", async () => {
      const folder = mkdtempSync(join(tmpdir(), "while-export-"));
      try {
        const output = join(folder, "airline.jsonl");
        const report = await exportDataset(run, { format: "trl", maskMode: "final", output });
        expect(report).toMatchObject({ rowsIn: 200, n: 200, noCompletionDropped: 0, groups: 50, withSystem: 200 });
        expect(report.toolCallRoundtrip).toMatchObject({ invalid: 0, encoding: "dict" });
        expect(report.toolCallRoundtrip.checked).toBeGreaterThan(1000);
        // Nine replies say the customer's id, which the customer had told them.
        expect(report.privilegedLeaks).toMatchObject({ nChecked: 200, nLeaked: 0, nShown: 134 });
        expect(report.maskMode).toMatch(/^last assistant turn only/);
        expect([report.trainedMessages, report.evalSourced]).toEqual([200, 200]);

        const rows = readFileSync(output, "utf8")
          .split("\n")
          .slice(0, -1)
          .map((line) => JSON.parse(line));
        expect(rows).toHaveLength(200);
        for (const { prompt, completion, ...rest } of rows as { prompt: Message[]; completion: Message[] }[]) {
          expect(rest).not.toHaveProperty("messages");
          expect(rest).not.toHaveProperty("loss_mask");
          expect(prompt[0]!.role).toBe("system");
          expect(completion.map(({ role }) => role)).toEqual(["assistant"]);
          const calls = [...prompt, ...completion].flatMap((message) => message.tool_calls ?? []);
          const kinds = new Set(calls.map((call) => Object.prototype.toString.call(call.function.arguments)));
          expect([...kinds].filter((kind) => kind !== "[object Object]")).toEqual([]);
          const ids = new Set(calls.map(({ id }) => id));
          const answers = prompt.filter(({ role }) => role === "tool");
          expect(answers.filter((answer) => !ids.has(answer.tool_call_id ?? ""))).toEqual([]);
        }
        expect(await checkExport(output)).toMatchObject({ ok: true, nBadLines: 0 });
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  },
);

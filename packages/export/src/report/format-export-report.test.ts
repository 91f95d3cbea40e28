import { expect, test } from "vitest";
import { exportLines } from "../export-lines.ts";
import { formatExportReport } from "./format-export-report.ts";

const tools = [{ type: "function", function: { name: "refund", parameters: {} } }];
const call = { tool: "refund", arguments: { id: "42" }, result: "ok" };

test("a report of two TRL rows", () => {
  const rows = [
    { task_id: "t", prompt: "Refund 42.", steps: [call], final_text: "Done.", reward: 1, markers: { brief: 1 } },
    { task_id: "t", prompt: "Refund 42.", final_text: "No.", reward: 0, history: "x" },
    { task_id: "u", prompt: "Hello?", reward: 0, history: ["x"] },
  ];
  const { report } = exportLines(rows, { format: "trl", maskMode: "final", systemPrompt: "Be brief.", tools });
  expect(formatExportReport(report)).toBe(
    [
      "export: 2 trl rows from 3 rows, not written",
      "  trains 2 messages, masks 6: last assistant turn only, exactly as the mask asks: TRL 1.16.0 labels the completion alone as soon as its first row has prompt and completion",
      "  rules on 2 of 2 rows, tool schemas on 2; 1 group",
      "  rewards: 1 pass, 1 fail, 0 ungraded",
      "  tool calls: 1 checked as dict, 0 do not read back",
      "  leaks: not measured, 0 of 3 rows could be checked: no row carries privileged context long enough to quote",
      "  warning: 1 of 2 rows have a reward below 0.5, and an SFT trainer clones each row it is given.",
      "  warning: 1 rows were dropped: they have no agent turn with something before it.",
      "  fields of rows left out: markers (1)",
    ].join("\n"),
  );
});

test("a report of plain rows says what was changed on the way", () => {
  const rows = [
    {
      messages: [
        { role: "system", content: "old", cache: true },
        { role: "user", content: "q" },
        { role: "assistant", content: "<think>h</think>" },
        { role: "tool", content: "12345" },
        { role: "assistant", content: "plan <think>h" },
      ],
      reward: 1,
    },
  ];
  const { report } = exportLines(rows, { systemPrompt: "new", maxToolOutputChars: 2 });
  expect(formatExportReport(report).split("\n").slice(6)).toEqual([
    "  1 tool messages cut",
    "  1 system messages replaced",
    "  2 replies had think text removed",
    "  1 of them were cut inside it",
    "  1 tool answers belong to no call",
    "  1 empty agent turns not trained",
    "  fields of messages left out: cache (1)",
  ]);
});

import { systemPromptStamp } from "@while/schema";
import { expect, test } from "vitest";
import { exportLines } from "../export-lines.ts";
import type { ExportOptions } from "../export-options.ts";
import type { Source } from "../source.ts";

const rules = "Look up an order before refunding it.";
const { sha } = systemPromptStamp(rules);
const row = { prompt: "q", final_text: "a", lineage: { system_prompt_sha: sha } };

function systemOf(source: Source, options: ExportOptions = {}) {
  const { lines, report } = exportLines(source, options);
  const [first] = JSON.parse(lines[0]!).messages;
  return { text: first.role === "system" ? first.content : null, codes: report.warnings.map(({ code }) => code) };
}

test.each([
  ["by the row's sha", { rows: [row], systemPrompts: new Map([[sha, rules]]) }, {}, rules, []],
  [
    "by the sha before the source's own",
    { rows: [row], systemPrompt: "B", systemPrompts: new Map([[sha, rules]]) },
    {},
    rules,
    [],
  ],
  ["from the source when the sha is its own", { rows: [row], systemPrompt: rules }, {}, rules, []],
  [
    "from the source although the sha is another's",
    { rows: [row], systemPrompt: "B" },
    {},
    "B",
    ["system_prompt_mismatch"],
  ],
  ["from the row", { rows: [{ ...row, system_prompt: "own" }], systemPrompt: "B" }, {}, "own", []],
  [
    "from the caller before all",
    { rows: [row], systemPrompts: new Map([[sha, rules]]) },
    { systemPrompt: "C" },
    "C",
    [],
  ],
  ["from nowhere, as the caller says", { rows: [row], systemPrompt: "B" }, { systemPrompt: "" }, null, []],
  ["from nowhere, and it is said", [row], {}, null, ["system_prompt_missing"]],
  ["from a run's profile", { trajectories: [row], profile: { policy: rules } }, {}, rules, []],
  ["from no profile", { trajectories: [{ prompt: "q", final_text: "a" }], profile: null }, {}, null, []],
] as const)("rules come %s", (_, source, options, text, codes) => {
  expect(systemOf(source as Source, options)).toEqual({ text, codes });
});

test("a conversation that has its rules needs none", () => {
  const messages = [
    { role: "system", content: "mine" },
    { role: "assistant", content: "a" },
  ];
  expect(systemOf([{ ...row, messages }])).toEqual({ text: "mine", codes: [] });
});

import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { type GrpoOptions, grpoLines } from "./grpo-lines.ts";
import { formatGrpoReport } from "./grpo-report.ts";

const tools = [{ type: "function", function: { name: "f" } }];
const rows = (scenario_id: string, rewards: number[], more: Row = {}): Row[] =>
  rewards.map((reward) => ({ prompt: `ask ${scenario_id}`, scenario_id, reward, final_text: "x", ...more }));
const mixed = rows("sc-2", [1, 0]);
const rowOf = (options: GrpoOptions, source = mixed) =>
  JSON.parse(grpoLines(source, { holdout: 0, ...options }).lines[0]!);

test.each<[string, object]>([
  [
    "ms-swift",
    {
      messages: [
        { role: "system", content: "S" },
        { role: "user", content: "ask sc-2" },
      ],
      tools: '[{"type": "function", "function": {"name": "f"}}]',
      scenario_id: "sc-2",
      pass_rate: 0.5,
      n_rollouts: 2,
    },
  ],
  ["vertex-rft", { contents: [{ role: "user", parts: [{ text: "ask sc-2" }] }], references: { scenario_id: "sc-2" } }],
  ["openai-rft", { messages: { length: 2 }, tools, scenario_id: "sc-2" }],
  [
    "openrlhf",
    { datasource: "refunds", prompt: [{ role: "system", content: expect.stringContaining("<tools>") }, {}] },
  ],
  ["verl", { data_source: "refunds", ability: "agent", extra_info: { index: 0, split: "train" } }],
])("%s rows", (format, row) => {
  expect(rowOf({ format, systemPrompt: "S", tools, dataSource: "refunds" })).toMatchObject(row);
});

test("trl: no tools column, and the privileged block only on request", () => {
  const source = rows("sc-2", [1, 0], { privileged: { reference: "blocked" } });
  expect(rowOf({ tools }, source)).not.toHaveProperty("tools");
  expect(rowOf({}, source).info_json).not.toContain("blocked");
  expect(JSON.parse(rowOf({ includePrivileged: true }, source).info_json).privileged).toEqual({ reference: "blocked" });
});

test("rules come from the caller, the source, the row or its own first message", () => {
  const system = (source: Row[], options: GrpoOptions = {}) => rowOf(options, source).prompt[0];
  const own = rows("sc-2", [1, 0], {
    messages: [
      { role: "system", content: "own" },
      { role: "user", content: "q" },
    ],
  });
  expect(system(own)).toEqual({ role: "system", content: "own" });
  expect(system(own, { systemPrompt: "given" }).content).toBe("given");
  expect(system(own, { systemPrompt: "" }).role).toBe("user");
  expect(system(rows("sc-2", [1, 0], { system_prompt: "row's" })).content).toBe("row's");
});

test("the held-out side is a file of its own, and a service that wants one is warned for", () => {
  const source = [...mixed, ...rows("sc-8", [1, 0])];
  const { lines, holdout, report } = grpoLines(source, { format: "verl", holdout: 0.2 });
  expect([lines.length, holdout.length]).toEqual([1, 1]);
  expect(JSON.parse(holdout[0]!).extra_info).toMatchObject({ index: 0, split: "holdout" });
  expect(report).toMatchObject({ n: 1, nHoldout: 1 });
  const codes = (format: string) => grpoLines(mixed, { format, holdout: 0 }).report.warnings.map(({ code }) => code);
  expect(codes("openai-rft")).toContain("holdout_required");
  expect(codes("trl")).not.toContain("holdout_required");
});

test("without a task to train on it is refused, saying what took them", () => {
  expect(() => grpoLines(rows("sc-2", [1, 1]))).toThrow(
    /^no_train_tasks: No task of 1 is left to train on: the band took 1, 0 are held out/,
  );
  expect(() => grpoLines([])).toThrow(/^no_train_tasks: The source has no row with a prompt/);
  expect(grpoLines([], { validate: false }).lines).toEqual([]);
});

test.each<[object, RegExp]>([
  [{ format: "axolotl" }, /^kind_unsupported/],
  [{ dataSource: "" }, /^invalid_option: dataSource/],
  [{ hold: 1 }, /^invalid_option/],
  [{ holdout: 2 }, /^invalid_option: holdout/],
])("%j is refused", (options, message) => {
  expect(() => grpoLines(mixed, options)).toThrow(message);
});

test("the report as text", () => {
  const { report } = grpoLines([...mixed, ...rows("sc-1", [1, 1])], { holdout: 0 });
  expect(formatGrpoReport(report)).toBe(`export grpo: 1 trl tasks of 2, not written
  0 held out
  1 of 2 graded tasks have rewards that differ
  in 99% of groups of 8 the outcomes are expected to differ
  1 dropped, their pass rate lies outside 0.20 to 0.80
  requires tools: given to the trainer (a column of that name is handed on and not rendered)`);
});

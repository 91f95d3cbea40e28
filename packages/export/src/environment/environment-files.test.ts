import { type Row, toWire } from "@while/schema";
import { describe, expect, test } from "vitest";
import { environmentFiles } from "./environment-files.ts";
import type { EnvironmentOptions } from "./environment-options.ts";
import { formatEnvironmentReport } from "./format-environment-report.ts";

const TOOLS = [
  { type: "function", function: { name: "refund", description: "Pays.", parameters: { type: "object" } } },
];

const rows = (task: string, rewards: readonly (number | null)[], more: Partial<Row> = {}): Row[] =>
  rewards.map((reward, i) => ({ scenario_id: task, rollout_index: i, prompt: `Refund ${task}.`, reward, ...more }));

const MIXED = [...rows("a", [1, 0]), ...rows("b", [0, 1, 1]), ...rows("c", [1, 1])];

const OPTIONS: EnvironmentOptions = {
  name: "Refund Desk!",
  tools: TOOLS,
  reward: "shop.world:reward",
  execute: "shop.world:execute",
  systemPrompt: "Be brief.",
  holdout: ["Refund b."],
};

const filesOf = (more: Partial<EnvironmentOptions> = {}, source: readonly Row[] = MIXED) =>
  environmentFiles(source, { ...OPTIONS, ...more });

test("a package has its tasks, its rules and tools, and the names of who answers and who grades", () => {
  const { files, report } = filesOf();
  expect([...files.keys()]).toEqual([
    ...["README.md", "pyproject.toml", "refund_desk/__init__.py", "refund_desk/spec.json"],
    ...["refund_desk/data/train.jsonl", "refund_desk/data/holdout.jsonl"],
  ]);
  expect(JSON.parse(files.get("refund_desk/spec.json")!)).toEqual({
    name: "Refund Desk!",
    runtime: "verifiers",
    system_prompt: "Be brief.",
    tools: [{ name: "refund", description: "Pays.", parameters: { type: "object" } }],
    max_turns: 10,
    reward: "shop.world:reward",
    execute: "shop.world:execute",
  });
  const [task, more] = files
    .get("refund_desk/data/train.jsonl")!
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(more).toBeUndefined();
  expect(task).toMatchObject({
    prompt: "Refund a.",
    info: { scenario_id: "a", calibration: { pass_rate: 0.5, n: 2 } },
  });
  expect(files.get("refund_desk/data/holdout.jsonl")).toContain("Refund b.");
  expect(files.get("pyproject.toml")).toContain('name = "refund_desk"');
  expect(report).toMatchObject({ slug: "refund_desk", nTools: 1, infoAsText: false });
  expect(report.tasks).toMatchObject({ train: 1, holdout: 1, bandDropped: 1 });
});

test("the report says how hard the tasks are, and the README has it", () => {
  const { files, report } = filesOf();
  expect(formatEnvironmentReport(report).split("\n").slice(0, 3)).toEqual([
    "environment refund_desk: 1 training tasks and 1 held out, not written",
    "  runtime verifiers, 1 tools, at most 10 turns",
    "  graded 3 prompts, 2 of them mixed; 1 outside the band [0.20..0.80]",
  ]);
  expect(files.get("README.md")).toContain("graded 3 prompts, 2 of them mixed");
});

test("info is one text where tasks differ in its keys or types: a null fault is not no fault", () => {
  const source = [...rows("a", [1, 0], { faults: { refund: "timeout" } }), ...rows("b", [1, 0]), ...rows("d", [1, 0])];
  const { files, report } = filesOf({ holdout: 0 }, source);
  expect(report.infoAsText).toBe(true);
  const [first] = files.get("refund_desk/data/train.jsonl")!.split("\n");
  expect(JSON.parse(JSON.parse(first!).info)).toMatchObject({ faults: { refund: "timeout" } });
});

test("every key of the report has its spelling on the wire", () => {
  expect(toWire(filesOf().report)).toMatchObject({ n_tools: 1, n_harnesses: 0, max_turns: 10, info_as_text: false });
});

test("the same source is the same bytes", () => {
  expect([...filesOf().files]).toEqual([...filesOf().files]);
});

test("rules and tools come from the source where nobody says", () => {
  const source = { rows: MIXED, systemPrompt: "Ask first.", tools: TOOLS };
  const { systemPrompt: _, tools: __, ...options } = OPTIONS;
  const spec = JSON.parse(environmentFiles(source, options).files.get("refund_desk/spec.json")!);
  expect(spec).toMatchObject({ system_prompt: "Ask first.", tools: [{ name: "refund" }] });
});

describe("refused", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  test.each([
    ["no_tools", { tools: [] }, /no tools to act with/],
    ["no_train_tasks", { band: [0.9, 1], holdout: ["Refund c."] }, /2 lie outside the band/],
    ["bad_reference", { reward: "reward" }, /reward is "reward".+fresh process/],
    ["bad_reference", { execute: (() => 0) as never }, /execute is a function/],
    ["bad_reference", { runtime: "http" }, /shop\.world:reward/],
    ["bad_world", { world: cyclic }, /does not become JSON/],
    ["bad_world", { world: { at: new Date(0) } }, /world\.at does not survive/],
    ["bad_world", { world: { rate: Number.NaN } }, /world\.rate does not survive/],
    ["bad_harness", { harnesses: [{ label: "a" }, { label: "a" }] }, /two harnesses are called a/],
    ["invalid_option", { name: "" }, /name is ""/],
    ["invalid_option", { name: "9 lives" }, /no name of a package/],
    ["invalid_option", { maxTurns: 0 }, /maxTurns is 0/],
    ["invalid_option", { runtime: "openenv" as never }, /runtime is "openenv"/],
    ["invalid_option", { maxTurn: 3 } as never, /maxTurn/],
  ] as const)("%s: %j", (code, more, message) => {
    const refused = () => filesOf(more as Partial<EnvironmentOptions>);
    expect(refused).toThrow(expect.objectContaining({ code }));
    expect(refused).toThrow(message);
  });
});

test.each([
  ["no label at all", [...rows("a", [null]), ...rows("b", [null])], /nobody knows which ones teach/],
  ["labels that never differ", [...rows("a", [1, 1]), ...rows("b", [0, 0])], /learns nothing/],
])("a set without contrast is warned about: %s", (_name, source, text) => {
  const { report } = filesOf({ holdout: 0, band: null }, source);
  expect(report.warnings.filter(({ code }) => code === "no_mixed_groups").map((warning) => warning.text)).toEqual([
    expect.stringMatching(text),
  ]);
});

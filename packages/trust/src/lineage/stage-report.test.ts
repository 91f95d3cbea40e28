import { type Row, stampStage, toWire } from "@while/schema";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatStages } from "./format-stages.ts";
import { stageReport } from "./stage-report.ts";

const SEEN: Row[] = [
  { scenario_id: "s1", stage: "SFT" },
  { scenario_id: "s1", lineage: { source: "eval" } },
  { scenario_id: "s2", stage: "rl" },
  { prompt: "p" },
  { scenario_id: "s3", stage: "eval" },
];

test("rows and tasks by stage, and the task that was trained on and evaluated on", () => {
  const report = stageReport(SEEN);
  expect(toWire(report)).toMatchObject({
    ...{ counts: { sft: 1, eval: 2, rl: 1 }, n_unstamped: 1, tasks_per_stage: { sft: 1, eval: 2, rl: 1 } },
    ...{ eval_train_leaks: ["s1"], n_leaks: 1, leaks: [{ task: "s1", stages: ["sft", "eval"], how: "id" }] },
  });
  expect(formatStages(report)).toBe(
    [
      "stages: 1 task in eval and in training",
      "  sft: 1 (1 task)",
      "  rl: 1 (1 task)",
      "  eval: 2 (2 tasks)",
      "! 1 task is in eval and in training: take them out of one of the two, and evaluate again",
      "! 1 row has no stage and could not be checked: stamp them (stampStage)",
      "  s1: sft, eval (same id)",
    ].join("\n"),
  );
});

const train = (row: Row): Row => ({ ...row, stage: "rl" });
const evaluated = (row: Row): Row => ({ ...row, stage: "eval" });

test.each<[why: string, trained: Row, evaluated: Row, how: string | null, nSamePrompt: number]>([
  ["an id under either name", { task_id: "t" }, { scenario_id: "t" }, "id", 0],
  ["the second id of two", { scenario_id: "a", task_id: "t" }, { scenario_id: "b", task_id: "t" }, "id", 0],
  ["a number and its text", { scenario_id: "7" }, { scenario_id: 7 as unknown as string }, "id", 0],
  ["prompts that read the same", { prompt: "Cancel  IT\n" }, { prompt: "cancel it" }, "prompt", 0],
  ["a prompt, with an id on one side", { prompt: "a" }, { scenario_id: "s", prompt: "A" }, "prompt", 0],
  ["one ask in two worlds is two tasks", { scenario_id: "a", prompt: "a" }, { scenario_id: "b", prompt: "a" }, null, 1],
  ["other ids", { scenario_id: "a", prompt: "x" }, { scenario_id: "b", prompt: "y" }, null, 0],
  ["an empty id", { scenario_id: "" }, { scenario_id: "" }, null, 0],
  ["an id that an object has anyway", { scenario_id: "__proto__" }, { scenario_id: "__proto__" }, "id", 0],
])("%s", (_, trained, other, how, nSamePrompt) => {
  const report = stageReport([train(trained), evaluated(other)]);
  expect(report.leaks.map((leak) => leak.how)).toEqual(how === null ? [] : [how]);
  expect(report).toMatchObject({ nLeaks: how === null ? 0 : 1, nSamePrompt });
});

test("a stage of another name counts as training, and is named", () => {
  const report = stageReport([{ scenario_id: "a", stage: "dpo" }, evaluated({ scenario_id: "a" })]);
  expect(report).toMatchObject({ unknownStages: ["dpo"], nLeaks: 1, leaks: [{ stages: ["eval", "dpo"] }] });
  expect(report.warnings[1]).toMatch(/^dpo: no known stage, counted as training; known are sft, rm/);
});

test.each<[Row[], string]>([
  [[], "(no stamped rows)"],
  [[{ prompt: "p" }], "(no stamped rows)"],
  [stampStage([{ prompt: "p" }], "rl"), "stages: nothing is evaluated on"],
  [stampStage([{ prompt: "p" }], "eval"), "stages: nothing is trained on"],
  [[train({ prompt: "p" }), evaluated({ prompt: "q" })], "stages: no task is in eval and in training"],
])("the verdict of %j", (rows, verdict) => {
  expect(formatStages(stageReport(rows)).split("\n")[0]).toBe(verdict);
});

test("the first 50 leaks are listed, and all are counted", () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({ scenario_id: `s${i}` }));
  const report = stageReport([...stampStage(rows, "sft"), ...stampStage(rows, "eval")]);
  expect(report).toMatchObject({
    nLeaks: 60,
    tasksPerStage: new Map([
      ["sft", 60],
      ["eval", 60],
    ]),
  });
  expect(report.evalTrainLeaks).toEqual([...report.evalTrainLeaks].sort());
  expect(report.leaks).toHaveLength(50);
  expect(formatStages(report)).toContain("and 55 more");
});

const row = fc.record(
  {
    scenario_id: fc.constantFrom("a", "b", ""),
    task_id: fc.constantFrom("a", "c"),
    prompt: fc.constantFrom("x", " X ", "y", ""),
    stage: fc.constantFrom("sft", "rl", "eval", "other"),
  },
  { requiredKeys: [] },
);

test("the order of rows does not matter, nor how often one is there, and the rows stay as they are", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
      const before = JSON.stringify(rows);
      const { leaks, nSamePrompt } = stageReport(rows);
      expect(stageReport([...rows].reverse())).toMatchObject({ leaks, nSamePrompt });
      expect(stageReport([...rows, ...rows])).toMatchObject({ leaks, nSamePrompt });
      expect(JSON.stringify(rows)).toBe(before);
    }),
  );
});

import type { Row } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type BuildTasksOptions, buildTasks } from "./build-tasks.ts";
import { heldOutKeys, taskShare } from "./task-side.ts";

const rows = (task: string, rewards: (number | null)[], more: Row = {}): Row[] =>
  rewards.map((reward) => ({ prompt: task, reward, ...more }));
const all: BuildTasksOptions = { holdout: 0, band: null };

test.each([
  ["sc-1", 0.145755],
  ["sc-2", 0.735141],
  ["sc-8", 0.186548],
  ["sc-9", 0.490644],
  ["Où est ma commande ?", 0.297644],
])("taskShare(%s) is %d", (key, share) => {
  expect(taskShare(key)).toBeCloseTo(share, 6);
});

test.each<[number[], number | null, boolean, boolean]>([
  // rewards, pass rate, kept by the point, kept by the interval
  [[1, 0], 0.5, true, true],
  [[1, 1], 1, false, true],
  [[0.5], null, true, true],
  [[1, 1, 1, 1, 0], 0.8, true, true],
  [[1, 0.5], 0.75, true, true],
  [Array(12).fill(1), 1, false, false],
])("rewards %j: pass rate %s, in the band by point %s and by interval %s", (rewards, passRate, point, interval) => {
  const build = (bandBy: "point" | "interval") => buildTasks(rows("q", rewards), { holdout: 0, bandBy });
  expect(build("point").train).toHaveLength(point ? 1 : 0);
  expect(build("interval").train).toHaveLength(interval ? 1 : 0);
  const [task] = buildTasks(rows("q", rewards), all).train;
  expect(task!.info.calibration?.pass_rate ?? null).toBe(passRate);
});

test("a scenario with two phrasings is two tasks on one side, a prompt of two scenarios two tasks", () => {
  const source = [
    ...rows("a", [1, 0], { scenario_id: "sc-8" }),
    ...rows("b", [1, 0], { scenario_id: "sc-8" }),
    ...rows("a", [1, 0], { scenario_id: "sc-2" }),
  ];
  const { train, holdout, report } = buildTasks(source, { holdout: 0.2 });
  expect(holdout.map(({ prompt, info }) => [prompt, info.scenario_id])).toEqual([
    ["a", "sc-8"],
    ["b", "sc-8"],
  ]);
  expect(train.map(({ info }) => info.scenario_id)).toEqual(["sc-2"]);
  expect(report).toMatchObject({ prompts: 3, sharedPrompts: 1, gradedMixed: 3, expectedInformativeShare: 0.9922 });
});

test("a side that rows name is kept, and a scenario of both sides is held out and counted", () => {
  const source = [
    ...rows("a", [1, 0], { scenario_id: "sc-2", purpose: "eval" }),
    ...rows("b", [1, 0], { scenario_id: "sc-8", purpose: "train" }),
    ...rows("c", [1, 0], { scenario_id: "sc-9", purpose: "train" }),
    ...rows("d", [1, 0], { scenario_id: "sc-9", purpose: "holdout" }),
  ];
  const { train, report } = buildTasks(source, { holdout: 0.2 });
  expect(train.map(({ prompt }) => prompt)).toEqual(["b"]);
  expect(report).toMatchObject({ holdout: 3, sideConflicts: 1 });
  expect(buildTasks(source, { holdout: [" B "] })).toMatchObject({ train: [], report: { sideConflicts: 2 } });
});

test("info has what a world needs and what a grader knows, and prompts are compared without their blanks", () => {
  const privileged = { reference: "the card is blocked" };
  const more = { seed: 3, world_state: JSON.stringify({ a: 1 }), stance: "angry", privileged };
  const { train } = buildTasks([...rows(" q ", [1], more), ...rows("q", [0])], all);
  expect(train).toEqual([
    {
      prompt: "q",
      example_id: train[0]!.info.task_id,
      info: {
        ...{ task_id: train[0]!.info.task_id, scenario_id: null, seed: 3, world_state: '{"a":1}', faults: {} },
        ...{ split: "train", stance: "angry", privileged, calibration: { pass_rate: 0.5, n: 2 } },
      },
    },
  ]);
});

test("what is odd is warned about", () => {
  const codes = (source: Row[], options: BuildTasksOptions) =>
    buildTasks(source, options).report.warnings.map(({ code }) => code);
  expect(codes(rows("sc-2", [1, 0]), { holdout: 0.2 })).toEqual(["holdout_empty"]);
  expect(codes(rows("q", [1, 0]), { holdout: ["other"] })).toEqual(["holdout_empty"]);
  expect(codes(rows("q", [1, 1]), {})).toEqual(["no_train_tasks"]);
  expect(codes(rows("q", [1, 1]), all)).toEqual(["no_mixed_groups"]);
  expect(codes(rows("q", [null]), all)).toEqual(["no_mixed_groups"]);
  expect(codes([...rows("q", [1, 0]), { final_text: "x" }], all)).toEqual(["no_prompt"]);
  expect(codes([...rows("sc-2", [1, 0]), ...rows("sc-8", [1, 0])], {})).toEqual(["decontamination_not_run"]);
});

test("the overlap check is given both sides, and three of its examples are kept", () => {
  const source = [...rows("sc-2", [1, 0]), ...rows("sc-8", [1, 0])];
  const { report } = buildTasks(source, {
    ngram: 5,
    decontaminate: (train, holdout, { ngram }) => ({
      nContaminated: train.length,
      contaminationRate: 1,
      examples: [holdout[0]!.prompt, ngram, 3, 4],
    }),
  });
  expect(report.decontamination).toEqual({
    ...{ nContaminated: 1, contaminationRate: 1, ngram: 5, examples: ["sc-8", 5, 3] },
  });
  expect(report.warnings.map(({ code }) => code)).toEqual(["contaminated"]);
});

test.each([
  [{ holdout: true }],
  [{ holdout: 1.5 }],
  [{ band: [0.8, 0.2] }],
  [{ split: "random" }],
  [{ bandBy: "p" }],
  [{ ngram: 0 }],
  [{ holdOut: 0.2 }],
])("%j is refused", (options) => {
  expect(() => buildTasks([], options as never)).toThrow(/^invalid_option/);
});

test("stratified: of every third of the pass rates at least the fraction, whatever the names", () => {
  const placed = fc.array(
    fc.record({ key: fc.string(), passRate: fc.option(fc.double({ min: 0, max: 1, noNaN: true })) }),
  );
  fc.assert(
    fc.property(placed, fc.double({ min: 0.01, max: 1, noNaN: true }), (tasks, fraction) => {
      const keys = new Set(tasks.map(({ key }) => key));
      const held = heldOutKeys(tasks, fraction, "stratified");
      expect(held.size).toBeGreaterThanOrEqual(Math.floor(fraction * keys.size));
      expect(held.size).toBeLessThanOrEqual(fraction * keys.size + 4);
      expect([...held].every((key) => keys.has(key))).toBe(true);
    }),
  );
});

import { sha256Hex } from "@while/schema";
import { expect, test } from "vitest";
import { nextRound } from "./next-round.ts";

const rows = (task: string, rewards: number[]) =>
  rewards.map((reward) => ({ task_id: task, prompt: `ask ${task}`, reward, policy_version: `p-${task}` }));
const prior = [...rows("mid", [1, 0, 0]), ...rows("solved", [1, 1]), ...rows("hard", [0, 0])];

test("without a list every measured task is a candidate", () => {
  const round = nextRound(prior);
  expect(round).toMatchObject({ kept: 1, droppedSolved: 1, droppedUnsolved: 1, unknown: 0, nPriorTasks: 3 });
  expect(round.tasks).toEqual([{ ...prior[0], calibration: { pass_rate: 0.3333, n: 3, band: [0.2, 0.8] } }]);
  expect(round.fromPolicy).toEqual(["p-hard", "p-mid", "p-solved"]);
  expect(round.promptSetSha).toBe(sha256Hex("mid").slice(0, 16));
});

test("prompts and rows are candidates, the first of a key counts, unknown ones are kept as given", () => {
  const { tasks, unknown } = nextRound(prior, {
    tasks: ["new ask", { task_id: "mid" }, "new ask", { task_id: "hard" }],
  });
  expect(unknown).toBe(1);
  expect(tasks.map((task) => task.task_id ?? task.prompt)).toEqual(["new ask", "mid"]);
});

test("a prior that measures nothing says so", () => {
  expect(nextRound([{ task_id: "a" }]).warnings).toEqual([
    "The prior measures no task: no row has a label or a pass_rate. Grade it first.",
  ]);
});

test("a band without width is refused", () => {
  expect(() => nextRound(prior, { lo: 0.5, hi: 0.5 })).toThrow("nextRound needs lo < hi.");
});

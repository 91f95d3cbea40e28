import { expect, test } from "vitest";
import type { PlannedTask } from "../engine/task.ts";
import { buildGrid } from "../grid/grid.ts";
import { regionId } from "../grid/region-id.ts";
import type { Observation } from "./observation.ts";
import { SearchState } from "./search-state.ts";

const grid = buildGrid({
  tool: ["read", "write"],
  tool_condition: ["success", "timeout"],
  history: ["fresh", "again"],
});
const taskOf = (at: number, more: Partial<PlannedTask> = {}): PlannedTask => {
  const assignment = grid.rows[at % grid.rows.length]!;
  return {
    ...{ prompt: `p${at}`, scenarioId: regionId(assignment), assignment, arm: "structured", faults: null },
    ...{ worldState: null, tags: {}, writerModel: "template", selectionReason: "novelty", ...more },
  };
};
const sight = (task: number, more: Partial<Observation> = {}): Observation => ({
  ...{ task, rolloutIndex: 0, rolloutId: `r${task}`, signature: "s", shape: "read", aim: null, failedCriteria: [] },
  ...more,
});

test("what is new is counted once, and three flat rounds with two rows of everything are saturation", () => {
  const state = new SearchState(grid, null);
  const n = grid.rows.length;
  const tasks = Array.from({ length: 100 * n }, (_, at) => taskOf(at));
  const round = (from: number, rounds: number) =>
    state.land(
      tasks,
      tasks.slice(from * n, (from + rounds) * n).map((_, at) => sight(from * n + at)),
    );
  round(0, 1);
  expect(state.report("saturation", 0).curve).toEqual([
    { rows: n, cells: n, shapes: 1, freshRate: Math.round(((n + 2) / n) * 1e4) / 1e4 },
  ]);
  expect(state.lacking()).toHaveLength(n);
  for (const from of [1, 11, 21]) {
    expect(state.isSaturated).toBe(false);
    round(from, 10);
  }
  expect(state.lacking()).toEqual([]);
  expect(state.isSaturated).toBe(true);
  // One new behaviour in a small round, and it goes on.
  tasks.push(taskOf(0));
  state.land(tasks, [sight(tasks.length - 1, { signature: "other" })]);
  expect(state.isSaturated).toBe(false);
});

test("a sequence seen once is asked for twice, and then was chance", () => {
  const state = new SearchState(grid, null);
  const tasks = [
    taskOf(0),
    taskOf(1),
    taskOf(2, { targetShape: "read > write" }),
    taskOf(3, { targetShape: "read > write" }),
  ];
  state.land(tasks, [sight(0), sight(1, { shape: "read > write" })]);
  expect(state.loneShapes()).toEqual([
    { shape: "read", task: 0 },
    { shape: "read > write", task: 1 },
  ]);
  state.land(tasks, [sight(2)]);
  expect(state.loneShapes().map(({ shape }) => shape)).toEqual(["read > write"]);
  state.land(tasks, [sight(3)]);
  expect(state.loneShapes()).toEqual([]);
  expect(state.report("saturation", 0).uncoveredShapes).toEqual(["read > write"]);
});

test("failures are asked again once, those of a judge first, and what asks again is no parent", () => {
  const state = new SearchState(grid, null);
  const tasks = [taskOf(0), taskOf(1), taskOf(2), taskOf(3, { arm: "failure_mutation", parentFailureId: "r1" })];
  state.land(tasks, [
    sight(0, { aim: "world_fault" }),
    sight(1, { aim: "graded_failure", failedCriteria: ["polite"] }),
    sight(2, { aim: "world_fault" }),
  ]);
  expect(state.openFailures().map(({ rolloutId }) => rolloutId)).toEqual(["r1", "r2", "r0"]);
  state.land(tasks, [sight(3, { aim: "graded_failure" })]);
  expect(state.openFailures().map(({ rolloutId }) => rolloutId)).toEqual(["r2", "r0"]);
  const { mutationAims, failureCriteria } = state.report("budget", 0);
  expect(mutationAims.graded_failure).toEqual({ parents: 1, rows: 1 });
  expect([...failureCriteria]).toEqual([["polite", 1]]);
});

test("a cell is worth more where the agent always does the same, and where a value starves", () => {
  const state = new SearchState(grid, null);
  const [cell] = grid.rows;
  const other = grid.rows.find(({ tool, history }) => tool !== cell!.tool && history !== cell!.history)!;
  expect(state.knowledgeOf(cell!)).toEqual({ count: 0, novelty: 0.5, gap: 0.5, urgency: 1 });
  const tasks = Array.from({ length: 12 }, () => taskOf(0));
  state.land(
    tasks,
    tasks.map((_, at) => sight(at)),
  );
  const known = state.knowledgeOf(cell!);
  expect([known.count, known.gap]).toEqual([12, expect.closeTo(1, 12)]);
  expect(known.novelty).toBeCloseTo(1.5 / 13, 12);
  expect(state.knowledgeOf(other).urgency).toBe(2.5);
  const rich = new SearchState(grid, null);
  rich.land(
    tasks,
    tasks.map((_, at) => sight(at, { signature: `s${at}` })),
  );
  expect(rich.knowledgeOf(cell!).gap).toBeCloseTo(0.2, 12);
});

import { toWire } from "@while/schema";
import { expect, test, vi } from "vitest";
import { formatPlan, planSimulation } from "./plan-simulation.ts";
import { simulate } from "./simulate.ts";

const TOOLS = [{ name: "get_order", description: "of A1001", parameters: { order_id: { type: "string" } } }];

test.each([
  [{ budget: 30 }, 30, 30],
  [{ mode: "sft", situations: 4 }, 12, 48],
  [{ situations: 10, repeats: 4, runs: 3 }, 10, 120],
])("the plan of %j has %i prompts and %i rollouts, and is what simulate runs", async (options, nTasks, rollouts) => {
  const agent = vi.fn((message: string) => message);
  const plan = await planSimulation(agent, { tools: TOOLS, ...options });
  expect(agent).not.toHaveBeenCalled();
  expect([plan.nTasks, plan.rollouts]).toEqual([nTasks, rollouts]);
  const { tasks, rows } = await simulate(agent, { tools: TOOLS, ...options });
  expect([tasks.map(({ scenarioId, prompt }) => ({ scenarioId, prompt })), rows.length]).toEqual([
    plan.tasks,
    rollouts,
  ]);
});

test("more rollouts and more tasks show smaller gains, and one task shows none", async () => {
  const gain = async (situations: number, repeats: number) =>
    (await planSimulation((message) => message, { tools: TOOLS, situations, repeats })).resolvableGain;
  expect(await gain(1, 4)).toBeNull();
  expect((await gain(40, 4))!).toBeLessThan((await gain(10, 4))!);
  expect((await gain(40, 8))!).toBeLessThan((await gain(40, 2))!);
});

test("its text says what it costs first", async () => {
  const plan = await planSimulation((message) => message, { seeds: ["A", "B"], repeats: 2 });
  expect(formatPlan(plan).split("\n").slice(0, 2)).toEqual([
    "4 rollouts: 2 prompts of 2 situations, 2 each, 1 run",
    "  faults planned on 0 of 2 prompts",
  ]);
  expect(toWire(plan)).toMatchObject({
    n_tasks: 2,
    n_faulty: 0,
    rollouts: 4,
    tasks: [{ scenario_id: "probe_559aea" }, {}],
  });
});

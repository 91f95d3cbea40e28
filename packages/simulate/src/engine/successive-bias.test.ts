import type { Row } from "@while/schema";
import { passAt } from "@while/stats";
import { expect, test } from "vitest";
import type { Agent } from "../agent/agent.ts";
import { wordDraw } from "../draw.ts";
import { simulate } from "./simulate.ts";

/*
 * What `successive` gives a task hangs on how its first rollouts ended, so a mean over all of its rows is pushed toward 0
 * and 1. Rows say which were made for that, and the engine's own pass@1 leaves them out.
 */

const K = 8;
const BUDGET = 3000;
const byId = { type: "object", properties: { order_id: { type: "string" } } };
const tools = ["get_order", "refund_order", "cancel_order", "ship_order"].map((name) => ({ name, parameters: byId }));
const PROMPTS = ["A1", "A2", "A3", "A4", "A5", "A6"].map((order) => `Refund order ${order}.`);
const agentOf =
  (rate: number): Agent =>
  (_, { rolloutSeed }) =>
    wordDraw(`${rolloutSeed}`) / 2 ** 32 < rate ? "yes" : "no";
const grader = ({ final_text }: Row) => (final_text === "yes" ? 1 : 0);

test.each([0.2, 0.3, 0.7])("an agent that passes at %d reads that under successive allocation", async (rate) => {
  const {
    rows,
    passAt: own,
    report,
  } = await simulate(agentOf(rate), {
    ...{ mode: "rl", repeats: K, tools, budget: BUDGET, grader, modelVersion: "m" },
  });
  expect(new Set(rows.map(({ lineage }) => lineage?.allocation))).toEqual(new Set(["probe", "continued"]));
  // Two rollouts of each group: four standard errors of a mean over groups.
  const slack = 4 * Math.sqrt((rate * (1 - rate)) / (2 * report.groups!.groups));
  expect(Math.abs(own!.passAt1! - rate)).toBeLessThan(slack);
  expect(own).toEqual(passAt(rows.filter(({ lineage }) => lineage?.allocation === "probe")));
  // By all rows of each group it is further from a half than the agent is.
  const groups = rows.map((row): Row => ({ ...row, scenario_id: null, task_id: row.prompt ?? null }));
  const away = (passAt(groups).passAt1! - rate) * Math.sign(rate - 0.5);
  expect(away).toBeGreaterThan(0.03);
});

test.each([
  ["pinned tasks", { tasks: PROMPTS.slice(0, 6).map((prompt) => ({ prompt })) }],
  ["several runs", { seeds: PROMPTS.slice(0, 6), runs: 2 }],
])("%s are allocated the same to every task, in any mode", async (_what, options) => {
  const { rows } = await simulate(agentOf(0.5), { ...options, mode: "rl", repeats: 4, grader, modelVersion: "m" });
  expect(new Set(rows.map(({ lineage }) => lineage?.allocation))).toEqual(new Set(["fixed"]));
  expect(rows).toHaveLength(6 * 4 * ("runs" in options ? 2 : 1));
});

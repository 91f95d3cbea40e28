import { cleanFaults, type Row, toWire } from "@while/schema";
import { passAt } from "@while/stats";
import { describe, expect, test } from "vitest";
import type { Agent } from "../agent/agent.ts";
import type { Model } from "../agent/model.ts";
import { formatPlan, planSimulation } from "../engine/plan-simulation.ts";
import { simulate } from "../engine/simulate.ts";
import type { SimulateOptions } from "../engine/simulate-options.ts";
import { modelWriter } from "../writers/model-writer.ts";
import type { Writer, WriterContext } from "../writers/writer.ts";

const parameters = { type: "object", properties: { order_id: { type: "string", description: "A1001 to A1003" } } };
const tools = ["get_order", "refund_order", "cancel_order"].map((name) => ({ name, parameters }));
const systemPrompt = "Verify the id first.\n\nRefund within thirty days.";

/** Looks the order up, and does what is asked for when the words say so. */
const agent: Agent = async (message, { call }) => {
  const order_id = /A\d{4}/.exec(message)?.[0];
  if (order_id === undefined) return "Which order is it?";
  await call("get_order", { order_id });
  if (message.includes("refund")) await call("refund_order", { order_id });
  return message.length % 5 === 0 ? "no" : "done";
};
const grader = ({ final_text }: Row): number => (final_text === "no" ? 0 : 1);
const options: SimulateOptions = { tools, systemPrompt, search: true, budget: 200, modelVersion: "m" };

describe("a search", () => {
  test("spends its budget over the arms and says what it found", async () => {
    const { rows, report } = await simulate(agent, options);
    const { search } = report;
    expect(rows).toHaveLength(200);
    expect(report.stoppedBecause).toBe("budget");
    expect(Object.values(search!.armRows).reduce((sum, n) => sum + n, 0)).toBe(200);
    for (const [arm, n] of Object.entries(search!.armRows))
      expect(rows.filter((row) => row.arm === arm)).toHaveLength(n);
    expect(search!.rounds).toBe(7);
    expect(search!.curve.at(-1)!.rows).toBe(200);
    expect(search!.nSignatures).toBe(new Set(rows.map((row) => row.behavior_signature)).size);
    expect([...search!.cellCounts.values()].reduce((sum, n) => sum + n, 0)).toBe(search!.armRows.structured);
    // No two tasks have the same words, and none is left out of the plan.
    expect(new Set(rows.map(({ prompt }) => prompt)).size).toBe(200);
    expect(() => toWire(report)).not.toThrow();
  });

  test("the rows are the same at any concurrency", async () => {
    const one = await simulate(agent, { ...options, grader, concurrency: 1 });
    const many = await simulate(agent, { ...options, grader, concurrency: 32 });
    expect(many.rows).toEqual(one.rows);
    expect(many.report.search).toEqual(one.report.search);
  });

  test("what one round shows moves the next: another agent is asked other things", async () => {
    const silent: Agent = () => "done";
    const [one, other] = [await simulate(agent, options), await simulate(silent, options)];
    const prompts = (rows: readonly Row[]) => rows.map(({ prompt }) => prompt);
    expect(prompts(one.rows).slice(0, 32)).toEqual(prompts(other.rows).slice(0, 32));
    expect(prompts(one.rows).slice(32)).not.toEqual(prompts(other.rows).slice(32));
  });

  test("covers the grid nearly as well as situations drawn at once: what is unseen comes first", async () => {
    const drawn = await simulate(agent, { tools, systemPrompt, budget: 60, modelVersion: "m" });
    const found = await simulate(agent, { ...options, budget: 60, armWeights: { structured: 1 } });
    expect(found.report.coverage.pairsCovered).toBeGreaterThan(0.9 * drawn.report.coverage.pairsCovered);
    expect(found.report.search!.nCells).toBeGreaterThan(54);
  });

  test("holds the shares of hard and of failing situations", async () => {
    const { rows } = await simulate(agent, {
      ...{ ...options, armWeights: { structured: 1 }, hardShare: 0.5, faultShare: 0.25 },
    });
    const share = (is: (row: Row) => boolean): number => rows.filter(is).length / rows.length;
    expect(share(({ faults }) => cleanFaults(faults) !== null)).toBeCloseTo(0.25, 1);
    expect(share(({ tier }) => tier !== "ordinary")).toBeCloseTo(0.5, 1);
  });

  test("asks what its judge failed again, in other words and the same world", async () => {
    const { rows, report, passAt: own } = await simulate(agent, { ...options, grader });
    const byId = new Map(rows.map((row) => [row.rollout_id, row]));
    const again = rows.filter(({ arm }) => arm === "failure_mutation");
    expect(again.length).toBeGreaterThan(3);
    for (const row of again) {
      const parent = byId.get(String(row.parent_failure_id))!;
      expect(parent.reward).toBe(0);
      expect(parent.parent_failure_id).toBeUndefined();
      expect(row.prompt).not.toBe(parent.prompt);
      expect([row.faults, row.world_state, row.stance]).toEqual([parent.faults, parent.world_state, parent.stance]);
    }
    // They hang on a failure: a pass rate leaves them out.
    const unbiased = rows.filter(({ arm }) => arm !== "failure_mutation" && arm !== "behavior_targeted");
    expect(own).toEqual(passAt(unbiased));
    const { graded_failure: graded } = report.search!.mutationAims;
    expect(graded).toEqual({ parents: again.length, rows: again.length });
  });

  test("prompts of one's own come first, and the search goes on from them", async () => {
    const seeds = ["Hello there", "Where is A1001?"];
    const { rows, report } = await simulate(agent, { ...options, seeds, budget: 40 });
    expect(rows.slice(0, 2).map(({ prompt }) => prompt)).toEqual(seeds);
    expect(rows).toHaveLength(40);
    expect(report.nSeeds).toBe(2);
  });

  test("several runs are of the tasks that the first one found", async () => {
    const { rows, report } = await simulate(agent, { ...options, budget: 40, runs: 3 });
    const of = (run: number) => rows.filter(({ lineage }) => lineage?.eval_run === run).map(({ prompt }) => prompt);
    expect(of(0)).toHaveLength(40);
    expect(of(1)).toEqual(of(0));
    expect(of(2)).toEqual(of(0));
    expect(report.perRun.map(({ stoppedBecause }) => stoppedBecause)).toEqual(["budget", "tasks_done", "tasks_done"]);
  });

  test("every prompt has its repeats, and the budget cuts the last one's", async () => {
    const { rows } = await simulate(agent, { ...options, budget: 42, repeats: 4 });
    const counts = new Map<string, number>();
    for (const { prompt } of rows) counts.set(String(prompt), (counts.get(String(prompt)) ?? 0) + 1);
    expect([...counts.values()]).toEqual([...Array.from({ length: 10 }, () => 4), 2]);
  });
});

describe("a search ends", () => {
  test("when as many situations as were asked for are used", async () => {
    const { rows, report } = await simulate(agent, { ...options, situations: 20 });
    expect(new Set(rows.map(({ scenario_id }) => scenario_id)).size).toBe(20);
    expect(report.stoppedBecause).toBe("situations_exhausted");
  });

  test("with several wordings of each, when these are used too", async () => {
    const { rows } = await simulate(agent, { ...options, situations: 10, phrasings: 3, armWeights: { structured: 1 } });
    const prompts = new Map<string, number>();
    for (const { scenario_id: id } of rows) prompts.set(String(id), (prompts.get(String(id)) ?? 0) + 1);
    expect([...prompts.values()]).toEqual(Array.from({ length: 10 }, () => 3));
  });

  test("saturated, when everything was seen twice and nothing new comes up", async () => {
    const calm: Agent = async (_, { call }) => {
      await call("get_order", { order_id: "A1001" });
      return "done";
    };
    const { report } = await simulate(calm, { ...options, budget: 2000, until: "saturation" });
    expect(report.stoppedBecause).toBe("saturation");
    expect(report.rolloutsCompleted).toBeLessThan(1500);
    expect(report.search!.minCellCopies).toBeGreaterThanOrEqual(2);
    expect(report.search!.curve.slice(-3).every(({ freshRate }) => freshRate < 0.05)).toBe(true);
  });

  test("when its writer has nothing new, and says what to do", async () => {
    const parrot: Writer = {
      name: "parrot",
      write: async (cards) => ({ written: cards.map((card) => ({ card, prompt: "Where is A1001?" })), warnings: [] }),
    };
    const { rows, report } = await simulate(agent, { ...options, writer: parrot, armWeights: { structured: 1 } });
    expect(rows).toHaveLength(1);
    expect(report.stoppedBecause).toBe("ask_exhausted");
    expect(report.degraded).toContain("ask_exhausted");
    expect(report.warnings.join()).toContain("after 1 of 200 rows. Give another writer");
  });

  test("when it is stopped, with what had landed", async () => {
    const stop = new AbortController();
    let n = 0;
    const { rows, report } = await simulate(
      (message, context) => {
        if (++n === 50) stop.abort();
        return agent(message, context);
      },
      { ...options, concurrency: 1, signal: stop.signal },
    );
    expect(report.stoppedBecause).toBe("aborted");
    expect(rows).toHaveLength(49);
    expect([report.rolloutsRequested, report.rolloutsAbandoned]).toEqual([200, 151]);
  });

  test("when it is stopped while the writer writes", async () => {
    const stop = new AbortController();
    const slow: Writer = {
      name: "slow",
      write: async (_, { signal }: WriterContext) => {
        stop.abort();
        throw signal!.reason;
      },
    };
    const { report } = await simulate(agent, { ...options, writer: slow, signal: stop.signal });
    expect(report.stoppedBecause).toBe("aborted");
  });
});

test("a model writer words its own share, and is shown what failed and what was asked", async () => {
  const asked: string[] = [];
  const model: Model = Object.assign(
    async ({ messages }: { messages: readonly { content: string }[] }) => {
      const text = messages.at(-1)!.content;
      const n = (text.match(/Card \d+\./g) ?? []).length;
      asked.push(text);
      const words = Array.from({ length: n }, (_, i) => `Please look at A1001, matter ${asked.length} of kind ${i}.`);
      return { text: JSON.stringify(words), inputTokens: 1, outputTokens: 1 };
    },
    { modelName: "scribe" },
  );
  const { rows, report } = await simulate(agent, { ...options, budget: 96, grader, writer: modelWriter(model) });
  const guided = rows.filter(({ arm }) => arm === "llm_guided");
  expect(guided.length).toBeGreaterThan(20);
  expect(guided.every(({ writer_model }) => writer_model === "scribe" || writer_model === "template")).toBe(true);
  expect(report.usage.find(({ role }) => role === "writer")!.calls).toBe(asked.length);
  const failed = String(rows.find(({ reward }) => reward === 0)!.prompt);
  expect(asked.some((text) => text.includes("The agent got these wrong") && text.includes(failed))).toBe(true);
  expect(asked.some((text) => !text.includes("The agent got these wrong"))).toBe(true);
});

test.each<[string, SimulateOptions, RegExp]>([
  ["pinned tasks", { search: true, tasks: [{ prompt: "A" }] }, /tasks and search were both given/],
  ["mode rl", { ...options, mode: "rl" }, /round by round, and so does mode rl/],
  ["an allocation of its own", { ...options, repeatPolicy: "adaptive" }, /repeatPolicy adaptive/],
  ["nothing to draw from", { search: true, seeds: ["A"] }, /nothing that situations could be drawn from/],
  ["until alone", { tools, until: "saturation" }, /until was given without a search/],
  ["armWeights alone", { tools, armWeights: { structured: 1 } }, /armWeights was given without a search/],
  ["a word for until", { ...options, until: "forever" as "budget" }, /until is "forever"/],
  ["an unknown arm", { ...options, armWeights: { open: 1 } as object }, /armWeights names "open"/],
  ["search that is no truth value", { ...options, search: 1 as unknown as boolean }, /search is 1/],
])("%s is refused", async (_what, given, said) => {
  await expect(simulate(agent, given)).rejects.toThrow(said);
});

test("the plan of a search is its first round, and what it may come to at most", async () => {
  const plan = await planSimulation(agent, { ...options, repeats: 2 });
  expect([plan.nTasks, plan.rollouts, plan.nFaulty, plan.tasks.length]).toEqual([100, 200, null, 16]);
  expect(formatPlan(plan)).toMatch(/^at most 200 rollouts: .*\n {2}found round by round; the first has 16 prompts/);
  const { rows } = await simulate(agent, { ...options, repeats: 2 });
  expect(plan.tasks.map(({ prompt }) => prompt)).toEqual(
    rows.slice(0, 32).flatMap(({ prompt }, at) => (at % 2 ? [] : [prompt])),
  );
});

import { type Row, toWire, validateRow } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { Agent } from "../agent/agent.ts";
import { seededAgent } from "../seeded/seeded-agent.ts";
import { SimulateError } from "../simulate-error.ts";
import { formatSimulation } from "./format-simulation.ts";
import { RunFailedError, simulate } from "./simulate.ts";

const TOOLS = [
  {
    name: "get_order",
    parameters: { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] },
  },
  {
    name: "refund_order",
    parameters: { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] },
  },
];
const echo: Agent = (message) => ({ steps: [], final_text: `You said: ${message}` });
const honest = seededAgent({ rate: 0 });

/** Takes its own time, so that rollouts end in another order than they began. */
const late = (agent: Agent): Agent => {
  let n = 0;
  const slow: Agent = async (message, context) => {
    await new Promise((resolve) => setTimeout(resolve, (n++ * 7) % 5));
    return agent(message, context);
  };
  return Object.assign(slow, { modelVersion: "agent" });
};

describe("the plan is carried out whole", () => {
  test("situations from tools and rules, each with its cell, its words and its world", async () => {
    const { rows, report, grid } = await simulate(honest, {
      tools: TOOLS,
      systemPrompt: "Refund within a month.",
      budget: 20,
    });
    expect(rows).toHaveLength(20);
    expect(report).toMatchObject({
      stoppedBecause: "budget",
      rolloutsRequested: 20,
      rolloutsLost: 0,
      nTasks: 20,
      warnings: [],
    });
    expect(grid?.rows.length).toBeGreaterThan(50);
    for (const row of rows) {
      expect(validateRow(row)).toEqual([]);
      expect(row).toMatchObject({ arm: "structured", writer_model: "template", model_version: "seeded", seed: 0 });
      expect(row.scenario_id).toMatch(/^sc-[0-9a-f]{10}$/);
      expect(row.lineage).toMatchObject({ allocation: "fixed", system_prompt_chars: 22 });
      expect(row).not.toHaveProperty("privileged");
    }
  });

  test("a fault share of 0.1 plans a fault on one row in ten, and one of 0 on none", async () => {
    const { report } = await simulate(honest, { tools: TOOLS, budget: 40 });
    expect(report.delivered.faultShare).toBe(0.1);
    expect((await simulate(honest, { tools: TOOLS, budget: 40, faultShare: 0 })).report.delivered.faultShare).toBe(0);
  });

  test("the same rows at any concurrency and in any order of completion", async () => {
    const options = { tools: TOOLS, mode: "sft", budget: 48 };
    const { rows } = await simulate(late(honest), { ...options, concurrency: 1 });
    for (const concurrency of [4, 32]) {
      expect((await simulate(late(honest), { ...options, concurrency })).rows).toEqual(rows);
    }
  });

  test("modes set counts: sft four completions of three phrasings", async () => {
    const { report, rows } = await simulate(honest, { tools: TOOLS, mode: "sft", situations: 2 });
    expect(report).toMatchObject({
      phrasingsPerSituation: 3,
      rolloutsPerPrompt: 4,
      nSituations: 2,
      rolloutsRequested: 24,
    });
    expect(report.stoppedBecause).toBe("situations_exhausted");
    expect(new Set(rows.map(({ prompt }) => prompt)).size).toBe(6);
  });
});

describe("tasks that are pinned", () => {
  const first = () => simulate(honest, { tools: TOOLS, budget: 12, repeats: 2, faultShare: 0.5 });

  test("are run again as they were: prompts, ids, faults, worlds and k", async () => {
    const before = await first();
    const after = await simulate(echo, { tools: TOOLS, tasks: before.rows });
    expect(after.report).toMatchObject({ stoppedBecause: "tasks_done", rolloutsPerPrompt: 2, nPinned: 6 });
    const thrice = await simulate(echo, { tools: TOOLS, tasks: before.rows, runs: 3, budget: 8 });
    expect(thrice.report).toMatchObject({ rolloutsRequested: 24, rolloutsCompleted: 24 });
    const about = ({
      prompt,
      scenario_id,
      rollout_index,
      faults,
      world_state,
      stance,
      scenario_dimensions,
      writer_model,
    }: Row) => ({
      ...{ prompt, scenario_id, rollout_index, faults, world_state, stance, scenario_dimensions, writer_model },
    });
    expect(after.rows.map(about)).toEqual(before.rows.map(about));
    expect(
      after.rows.every(({ lineage, selection_reason }) => lineage?.replayed && selection_reason === "pinned"),
    ).toBe(true);
  });

  test("the same agent has the same rows, apart from where they come from", async () => {
    const before = await first();
    const again = await simulate(honest, { tools: TOOLS, tasks: before });
    expect(again.rows.map(({ steps, final_text }) => [steps, final_text])).toEqual(
      before.rows.map(({ steps, final_text }) => [steps, final_text]),
    );
  });

  test("named by their prompts alone they stay so, and before and after pair", async () => {
    const { rows } = await simulate(echo, { tasks: [{ prompt: "A" }, { prompt: "B" }] });
    expect(rows.map(({ scenario_id, prompt }) => [scenario_id, prompt])).toEqual([
      ["", "A"],
      ["", "B"],
    ]);
  });

  test.each([
    ["seeds", { seeds: ["x"] }],
    ["situations", { situations: 3 }],
    ["faultRate", { faultRate: 0.5 }],
  ])("do not go with %s", async (name, options) => {
    await expect(simulate(echo, { tasks: [{ prompt: "A" }], ...options })).rejects.toThrow(
      `tasks and ${name} were both given`,
    );
  });
});

test("several runs over one set of tasks: the first draws, the others replay it", async () => {
  const { rows, report } = await simulate(echo, { seeds: ["A", "B"], runs: 3, budget: 2 });
  expect(rows.map(({ lineage }) => [lineage?.eval_run, lineage?.replayed, lineage?.replayed_from_run])).toEqual([
    [0, undefined, undefined],
    [0, undefined, undefined],
    [1, true, 0],
    [1, true, 0],
    [2, true, 0],
    [2, true, 0],
  ]);
  expect(report.perRun).toEqual([
    { rows: 2, stoppedBecause: "budget" },
    { rows: 2, stoppedBecause: "tasks_done" },
    { rows: 2, stoppedBecause: "tasks_done" },
  ]);
  expect([report.budgetPerRun, report.writerModel, new Set(rows.map(({ rollout_id }) => rollout_id)).size]).toEqual([
    2,
    "seed",
    6,
  ]);
});

describe("what an agent does", () => {
  const one = (agent: Agent, options = {}) => simulate(agent, { seeds: ["Refund A1001."], tools: TOOLS, ...options });

  test("its calls through the context are its steps, and a text is a reply", async () => {
    const agent: Agent = async (_, { call }) => {
      await call("get_order", { order_id: "A1001" });
      return "There it is.";
    };
    const { rows } = await one(agent);
    expect(rows[0]).toMatchObject({ final_text: "There it is.", tools_used: ["get_order"], finish_reason: "stop" });
    expect(rows[0]!.steps).toHaveLength(1);
  });

  test("what it raises is its failure: a row that ends in an error", async () => {
    const { rows, report } = await one(() => {
      throw new TypeError("x is undefined");
    });
    expect(rows[0]).toMatchObject({ final_text: "<agent error: TypeError: x is undefined>", finish_reason: "error" });
    expect(report).toMatchObject({
      stoppedBecause: "agent_failed",
      agentFailures: { agent_error: 1 },
      rolloutsLost: 0,
    });
  });

  test("silence is its failure too, and kept", async () => {
    const { rows, report } = await one(() => "");
    expect(rows[0]).toMatchObject({ final_text: "", finish_reason: "empty" });
    expect(report.stoppedBecause).toBe("empty_replies");
  });

  test("as the Python SDK has it, both are lost", async () => {
    const { rows, report } = await one(() => "", { lostPolicy: "compat" });
    expect(rows).toEqual([]);
    expect(report).toMatchObject({
      rolloutsLost: 1,
      rolloutsLostBy: { empty_reply: 1 },
      rolloutsRetried: 2,
      stoppedBecause: "empty_replies",
    });
  });

  test("a returned chat message is a mistake that is named", async () => {
    const { rows } = await one(() => ({ role: "assistant", content: "Hi" }) as never);
    expect(rows[0]?.final_text).toContain("neither steps nor final_text; its keys: role, content");
  });

  test("what breaks around it is lost, tried again, and told by reason and task", async () => {
    let n = 0;
    const flaky: Agent = () => {
      if (n++ < 2) throw new SimulateError("infrastructure", "503.", "Wait.");
      return "Done.";
    };
    const found = await one(flaky);
    expect(found.rows[0]?.lineage?.attempts).toBe(3);
    expect(found.report).toMatchObject({ rolloutsLost: 0, rolloutsRetried: 2 });
    const broken = await simulate(
      (message) => {
        if (message === "B") throw new SimulateError("infrastructure", "503.", "Wait.");
        return "Done.";
      },
      { seeds: ["A", "B"], retries: 0 },
    );
    expect(broken.report).toMatchObject({
      rolloutsLost: 1,
      rolloutsLostBy: { infrastructure: 1 },
      degraded: ["rollouts_lost"],
    });
    expect([...broken.report.lostByTask.values()]).toEqual([1]);
    expect(broken.report.warnings[0]).toContain("1 of 2 rollouts were lost (infrastructure 1)");
  });

  test("a key that is refused ends the run, and the error has the rows that landed", async () => {
    const agent: Agent = (message) => {
      if (message === "B") throw new SimulateError("agent_auth_failed", "401.", "Give a key.");
      return "Done.";
    };
    const error = await simulate(agent, { seeds: ["A", "B", "C"], concurrency: 1 }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(RunFailedError);
    expect([error.code, error.rows.length]).toEqual(["agent_auth_failed", 1]);
  });

  test("a rollout that runs out of time is lost, or a failure where that is asked for", async () => {
    const hangs: Agent = () => new Promise(() => {});
    const lost = await one(hangs, { rolloutTimeoutMs: 5, retries: 0 });
    expect(lost.report.rolloutsLostBy).toEqual({ timeout: 1 });
    const failed = await one(hangs, { rolloutTimeoutMs: 5, timeoutAs: "fail" });
    expect(failed.rows[0]).toMatchObject({
      finish_reason: "error",
      final_text: "<agent error: TimeoutError: no reply in 5 ms>",
    });
  });

  test.each<[string, object, Agent, number]>([
    [
      "more than 3 calls of tools in one rollout",
      { rolloutToolCalls: 3 },
      async (_, { call }) => {
        while (true) await call("get_order", { order_id: "A1001" });
      },
      3,
    ],
    [
      "more than 25 tokens in one rollout",
      { rolloutTokens: 25 },
      async (_, { call, meter }) => {
        while (true) {
          meter({ role: "agent", model: "m", inputTokens: 6, outputTokens: 4 });
          await call("get_order", { order_id: "A1001" });
        }
      },
      2,
    ],
  ])("an agent that goes round in circles has failed: %s", async (said, limit, agent, steps) => {
    const { rows, report } = await simulate(agent, { tools: TOOLS, seeds: ["Where is A1001?"], ...limit });
    expect(rows[0]).toMatchObject({ final_text: `<agent error: LimitError: ${said}>`, finish_reason: "error" });
    expect(rows[0]!.steps).toHaveLength(steps);
    expect(report.agentFailures).toEqual({ agent_error: 1 });
  });

  test("a call that the agent catches is over the limit all the same", async () => {
    const stubborn: Agent = async (_, { call }) => {
      for (let n = 0; n < 9; n++) await call("get_order", { order_id: "A1001" }).catch(() => {});
      return "Done.";
    };
    const { rows } = await simulate(stubborn, { tools: TOOLS, seeds: ["A"], rolloutToolCalls: 3 });
    expect(rows[0]!.finish_reason).toBe("error");
  });

  test("an agent that never answers is not called a thousand times", async () => {
    const agent = vi.fn(() => {
      throw new Error("no model");
    });
    const { report } = await simulate(agent, { tools: TOOLS, budget: 500, concurrency: 1 });
    expect([agent.mock.calls.length, report.stoppedBecause]).toEqual([16, "agent_failed"]);
  });
});

describe("a run that is stopped", () => {
  test("keeps what has landed and says what is missing", async () => {
    const controller = new AbortController();
    let n = 0;
    const agent: Agent = async (_, { signal }) => {
      if (++n === 5) controller.abort();
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect(typeof signal.aborted).toBe("boolean");
      return "Done.";
    };
    const { rows, report } = await simulate(agent, {
      tools: TOOLS,
      budget: 40,
      concurrency: 1,
      signal: controller.signal,
    });
    expect([rows.length, report.stoppedBecause, report.rolloutsAbandoned]).toEqual([4, "aborted", 36]);
    expect(report.degraded).toContain("rollouts_abandoned");
  });

  test("ends the calls that are under way", async () => {
    const controller = new AbortController();
    let isAborted = false;
    const agent: Agent = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          isAborted = true;
          reject(signal.reason);
        });
        controller.abort();
      });
    const { rows } = await simulate(agent, { seeds: ["A"], signal: controller.signal });
    expect([rows, isAborted]).toEqual([[], true]);
  });

  test("by its time or its tokens says which", async () => {
    const slow: Agent = async (_, { meter }) => {
      meter({ role: "agent", model: "m", inputTokens: 6, outputTokens: 4 });
      await new Promise((resolve) => setTimeout(resolve, 2));
      return "Done.";
    };
    const options = { tools: TOOLS, budget: 400, concurrency: 1 };
    expect((await simulate(slow, { ...options, timeBudgetMs: 20 })).report.stoppedBecause).toBe("time_budget");
    const { report, rows } = await simulate(slow, { ...options, tokenBudget: 50 });
    expect([report.stoppedBecause, rows.length]).toEqual(["token_budget", 5]);
    expect(report.usage).toEqual([
      { role: "agent", model: "m", calls: 5, replayedCalls: 0, inputTokens: 30, outputTokens: 20, costUsd: null },
    ]);
    expect(report).toMatchObject({ costUsd: null, costReason: "no price is known for m" });
  });
});

describe("a grader in the loop", () => {
  const parity = (row: Row) => ({ reward: (row.rollout_index ?? 0) % 2, reason: "by index" });

  test("its verdicts are on the rows, and the pass rate beside them", async () => {
    const { rows, passAt, report } = await simulate(echo, { seeds: ["A", "B"], repeats: 4, grader: parity });
    expect(rows.map(({ reward }) => reward)).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
    expect(rows[0]).toMatchObject({ judge_name: "parity", label_source: "judge", reason: "by index" });
    expect([passAt?.passAt1, report.nGraded]).toEqual([0.5, 8]);
  });

  test("a cut reply is not judged, and a grader that fails leaves no verdict", async () => {
    const cut: Agent = () => ({ final_text: "It is", finish_reason: "length" });
    const { rows } = await simulate(cut, { seeds: ["A"], grader: parity });
    expect(rows[0]).toMatchObject({ judge_status: "missing_reward", label_source: "length_cap" });
    const failing = await simulate(echo, { seeds: ["A"], grader: () => Promise.reject(new Error("no judge")) });
    expect(failing.rows[0]).toMatchObject({ judge_status: "judge_error", judge_meta: { error: "no judge" } });
    const odd = await simulate(echo, { seeds: ["A"], grader: () => 7 });
    expect(odd.rows[0]).toMatchObject({ judge_status: "invalid_reward" });
    const nothing = await simulate(echo, { seeds: ["A"], grader: (() => {}) as never });
    for (const {
      rows: [row],
      report,
    } of [failing, odd, nothing]) {
      expect(row).not.toHaveProperty("reward");
      expect(report.degraded).toContain("judge_errors");
    }
    expect(failing.report.warnings.join()).toMatch(/The judge failed on 1 of 1 rows, first: no judge\./);
    expect(nothing.report.grading).toMatchObject({ errors: 1, unjudged: 1, firstError: "it returned nothing" });
  });

  test("the report counts what it said, and that a judge abstained is no failure", async () => {
    const marks = [1, 0, 0.5, null];
    const grader = (row: Row) => ({ reward: marks[row.rollout_index ?? 0] ?? null });
    const { report } = await simulate(echo, { seeds: ["A"], repeats: 4, grader });
    expect(report.grading).toEqual({ passes: 1, failures: 1, partials: 1, unjudged: 1, errors: 0, firstError: null });
    expect(report.degraded).not.toContain("judge_errors");
    expect(formatSimulation(report)).toContain(
      "graded     1 passed and 1 failed by grader, 1 between, 1 without a verdict",
    );
    expect((await simulate(echo, { seeds: ["A"] })).report.grading).toBeNull();
  });

  test("a budget that nobody can watch is said to have held nothing back", async () => {
    const { report } = await simulate(echo, { seeds: ["A"], usdBudget: 1 });
    expect(report.degraded).toContain("budget_unwatched");
  });
});

test("rows replay the keys of any run", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 3 }),
      fc.nat(5),
      async (budget, repeats, seed) => {
        const before = await simulate(echo, { tools: TOOLS, budget: budget * repeats, repeats, seed });
        const after = await simulate(echo, { tools: TOOLS, tasks: before, seed });
        const keys = (rows: readonly Row[]) => rows.map((row) => [row.scenario_id, row.prompt, row.rollout_index]);
        expect(keys(after.rows)).toEqual(keys(before.rows));
      },
    ),
    { numRuns: 10 },
  );
});

test.each<[object, string]>([
  [{}, "nothing that tasks could be drawn from"],
  [{ tools: TOOLS, budgt: 3 }, "Did you mean budget?"],
  [{ tools: TOOLS, budget: 0 }, "budget is 0"],
  [{ tools: TOOLS, hardShare: 40 }, "hardShare is 40"],
  [{ tools: TOOLS, mode: "chaos" }, 'mode is "chaos"'],
  [{ tools: TOOLS, lostPolicy: "forget" }, 'lostPolicy is "forget"'],
  [{ tools: TOOLS, faultShare: 0.1, faultRate: 0.5 }, "faultShare and faultRate"],
  [{ tools: TOOLS, runs: 2, repeats: 4, repeatPolicy: "successive" }, "runs is 2"],
  [{ tools: TOOLS, grader: "conduct" }, 'grader is "conduct"'],
  [{ tasks: [{ final_text: "x" }] }, "none of them has a prompt"],
])("the options %j are refused before any call", async (options, what) => {
  const agent = vi.fn(() => "Done.");
  await expect(simulate(agent, options as never)).rejects.toThrow(what);
  expect(agent).not.toHaveBeenCalled();
});

test.each([
  ["http://localhost", 'The agent is "http://localhost"'],
  [class Bot {}, "The agent is a class"],
  [{ invoke: () => "" }, "The agent is an object with invoke"],
])("%s is no agent", async (agent, what) => {
  await expect(simulate(agent as never, { tools: TOOLS })).rejects.toThrow(what);
});

test("a report has its spelling on the wire, and its text", async () => {
  const { report } = await simulate(honest, {
    tools: TOOLS,
    mode: "rl",
    budget: 24,
    faultShare: 0.3,
    userModel: async () => ({ text: "" }),
  });
  expect(toWire(report)).toMatchObject({
    rollouts_requested: 24,
    mode: "rl",
    groups: { stopped_unanimous: expect.any(Number) },
  });
  expect(formatSimulation(report)).toMatch(
    /^\d+ of 24 rollouts of seeded on \d+ tasks \(budget\)\n {2}drawn {6}1 phrasings × 8 rollouts, successive; mode rl, seed 0; words by template\n/,
  );
});

test("under successive allocation the rate beside the rows is over the probe rollouts", async () => {
  const grader = ({ rollout_index: n = 0, scenario_id }: Row) =>
    ((n ?? 0) + scenario_id!.charCodeAt(5)) % 3 === 0 ? 1 : 0;
  const { rows, passAt } = await simulate(honest, { tools: TOOLS, mode: "rl", budget: 64, grader });
  const probes = rows.filter(({ lineage }) => lineage?.allocation === "probe");
  expect(probes.length).toBeLessThan(rows.length);
  expect(passAt?.nRows).toBe(probes.length);
});

import { expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const greeting = { role: "assistant", content: "Hi! How can I help?" };
const asked = { role: "user", content: "My data is slow." };
const agentCall = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "c", name: "get_line", arguments: { id: "L1" }, requestor: "assistant" }],
  usage: { prompt_tokens: 90, completion_tokens: 2 },
};
const agentAnswer = { id: "c", role: "tool", content: "active", requestor: "assistant", error: false };
const userCall = {
  role: "user",
  content: null,
  tool_calls: [{ id: "u", name: "test", arguments: {}, requestor: "user" }],
};
const userAnswer = { id: "u", role: "tool", content: "5 Mbps", requestor: "user", error: false };
const done = { role: "assistant", content: "Done.", usage: { prompt_tokens: 10, completion_tokens: 1 } };

const simulation = {
  id: "s1",
  task_id: "7",
  trial: 2,
  termination_reason: "user_stop",
  reward_info: { reward: 1, reward_basis: ["DB"], reward_breakdown: { DB: 1, NL_ASSERTION: 0.5 } },
  messages: [greeting, asked, agentCall, agentAnswer, userCall, userAnswer, done],
};

const info = {
  agent_info: { llm: "m", llm_args: { temperature: 0.5 } },
  user_info: { llm: "u" },
  environment_info: { domain_name: "telecom", policy: "# Policy" },
};

const task = { id: "7", user_scenario: { instructions: "secret" }, evaluation_criteria: { actions: [] } };

function read(simulations: readonly unknown[], options: object = {}, document: object = { info, tasks: [task] }) {
  return readRows(JSON.stringify({ ...document, simulations }), options);
}

test("a simulation is a row of its domain's task", () => {
  const { rows, report } = read([simulation]);
  expect(rows).toMatchObject([
    {
      scenario_id: "tau2/telecom/7",
      rollout_id: "s1",
      rollout_index: 2,
      opener: "Hi! How can I help?",
      prompt: "My data is slow.",
      final_text: "Done.",
      reward: 1,
      markers: { db: 1, nl_assertion: 0.5 },
      model_version: "m",
      user_model: "u",
      sampling: { temperature: 0.5 },
      usage: { input_tokens: 100, output_tokens: 3 },
      privileged: { reference: '{"actions": []}', hidden_state: { user_scenario: { instructions: "secret" } } },
    },
  ]);
  expect([...report.systemPrompts.values()]).toEqual(["# Policy"]);
  expect(report.meta).toEqual({ tau2: { info: { ...info, environment_info: { domain_name: "telecom" } } } });
});

test("what the user called is no step of the agent, and is not lost", () => {
  const { rows, report } = read([simulation]);
  expect(rows[0]?.steps).toMatchObject([{ tool: "get_line", result: "active" }, { text: "Done." }]);
  expect(JSON.stringify(rows[0]?.messages)).toContain("5 Mbps");
  expect(report.warnings).toEqual([
    {
      code: "user_tool_calls",
      text: "1 tool call is the user's: they stand in messages and are no steps of the agent.",
    },
  ]);
});

test("answers that stand in one message each find their call", () => {
  const calls = ["a", "b"].map((id) => ({ id, name: id, arguments: {}, requestor: "assistant" }));
  const answers = ["b", "a"].map((id) => ({ id, role: "tool", content: `of ${id}`, requestor: "assistant" }));
  const messages = [asked, { role: "assistant", tool_calls: calls }, { role: "tool", tool_messages: answers }];
  expect(read([{ ...simulation, messages }]).rows[0]?.steps).toMatchObject([
    { tool: "a", result: "of a" },
    { tool: "b", result: "of b" },
  ]);
});

test.each([
  ["user_stop", 1, undefined, undefined],
  ["max_steps", 1, undefined, "length"],
  ["too_many_errors", 1, undefined, undefined],
  ["agent_error", 1, undefined, "error"],
  ["infrastructure_error", null, "error", "error"],
  ["context_window_exceeded", null, "error", "length"],
])("one that ended with %s has the reward %j", (ended, reward, status, finish) => {
  const [row] = read([{ ...simulation, termination_reason: ended }]).rows;
  expect([row?.reward, row?.judge_status, row?.finish_reason]).toEqual([reward, status, finish]);
  expect(row?.termination_reason).toBe(ended);
});

test("the benchmark leaves lost trials out too, and that is said", () => {
  const lost = { ...simulation, id: "s2", termination_reason: "infrastructure_error", messages: null };
  expect(read([simulation, lost]).report.warnings.map(({ text }) => text)).toContain(
    "1 of 2 rollouts ended in an infrastructure error and has no reward: the mean over the others is 1.000; tau2-bench " +
      "leaves them out too.",
  );
});

test.each([
  [{}, 1],
  [{ rewardKey: "nl_assertion" }, 0.5],
  [{ rewardKey: ["action", "nl_assertion"], threshold: 0.5 }, 1],
])("with %j the reward is %j", (options, reward) => {
  expect(read([simulation], options).rows[0]?.reward).toBe(reward);
});

test("a simulation without a check is ungraded, one without a number for its trial is counted", () => {
  const { trial: _, ...rest } = { ...simulation, reward_info: null };
  const { rows } = read([rest, { ...rest, id: "s2" }]);
  expect(rows.map(({ reward, rollout_index: index }) => [reward, index])).toEqual([
    [null, 0],
    [null, 1],
  ]);
});

test("a voice run is told by its ticks, in the order of time", () => {
  const at = (second: number, message: object) => ({ ...message, timestamp: `2026-01-01T00:00:0${second}` });
  const ticks = [
    { tick_id: 0, agent_chunk: at(2, done), user_chunk: at(1, asked), agent_tool_calls: [], user_tool_calls: null },
    {
      tick_id: 1,
      agent_tool_calls: [at(3, { id: "c", name: "get_line", arguments: {}, requestor: "assistant" })],
      agent_tool_results: [at(4, agentAnswer)],
    },
  ];
  const [row] = read([{ ...simulation, messages: null, ticks }]).rows;
  expect(row).toMatchObject({
    prompt: "My data is slow.",
    steps: [{ text: "Done." }, { tool: "get_line", result: "active" }],
    tau2: { ticks: [{ tick_id: 0 }, { tick_id: 1 }] },
  });
});

test.each([
  [{ tasks: [] }, {}, "tau2/unknown/7", true],
  [{ tasks: [] }, { env: "retail" }, "tau2/retail/7", false],
])("without a domain in %j and with %j the task is %s", (document, options, scenario, isWarned) => {
  const { rows, report } = read([simulation], options, document);
  expect(rows[0]?.scenario_id).toBe(scenario);
  expect(report.warnings.some(({ code }) => code === "unknown_env")).toBe(isWarned);
});

test("a simulation that cannot be read is refused with its place", () => {
  expect(() => read([simulation, { ...simulation, messages: [{ content: "x" }] }])).toThrow(
    /simulations\[1\]: messages/,
  );
  expect(read([simulation, 7], { onBadRow: "skip" }).rows).toHaveLength(1);
});

test("results without their simulations, and a simulation without its results, are refused", () => {
  const index = { info, tasks: [], simulation_index: [{ id: "s1" }] };
  expect(() => readRows(JSON.stringify(index), { file: "results.json" })).toThrow("The results hold no simulations.");
  const alone = { ...simulation, start_time: "t" };
  expect(() => readRows(JSON.stringify(alone))).toThrow("The simulation s1 stands without its run");
  const long = JSON.stringify({ ...alone, id: { note: "x".repeat(9000) } });
  expect(() => readRows(long)).toThrow(/The simulation .{80} stands without its run/);
});

test("a simulation may follow its results, each a record", () => {
  const lines = [
    { info, tasks: [task] },
    { ...simulation, start_time: "t" },
  ];
  const { rows } = readRows(lines.map((line) => JSON.stringify(line)).join("\n"));
  expect(rows).toMatchObject([
    { scenario_id: "tau2/telecom/7", reward: 1, privileged: { reference: '{"actions": []}' } },
  ]);
});

test("the rules of one simulation are its own", () => {
  const { report } = read([{ ...simulation, policy: "# Other policy" }]);
  expect([...report.systemPrompts.values()]).toEqual(["# Other policy"]);
});

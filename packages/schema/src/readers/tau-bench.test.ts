import { expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const success = {
  task_id: 0,
  reward: 1.0,
  info: {
    task: {
      user_id: "u",
      instruction: "secret",
      actions: [{ name: "cancel", kwargs: { id: "1" } }],
      outputs: [],
    },
    source: "user",
    user_cost: 0.25,
    reward_info: { reward: 1.0, info: { r_actions: 1.0, gt_data_hash: "h" }, actions: [{ name: "look", kwargs: {} }] },
  },
  traj: [
    { role: "system", content: "# Retail agent policy" },
    { role: "user", content: "Cancel order 1" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c1", type: "function", function: { name: "cancel", arguments: '{"id":"1"}' } }],
    },
    { role: "tool", tool_call_id: "c1", name: "cancel", content: "ok" },
    { role: "assistant", content: "Cancelled." },
  ],
  trial: 2,
};

const failure = { task_id: 1, reward: 0.0, info: { error: "boom", traceback: "…" }, traj: [], trial: 0 };

function read(items: readonly object[], options: object = {}) {
  return readRows(JSON.stringify(items), options);
}

test("an item is a row of its environment's task, and an exception is no failed rollout", () => {
  const { rows, report } = read([success, failure]);
  expect(rows).toMatchObject([
    {
      scenario_id: "tau-bench/retail/0",
      rollout_index: 2,
      reward: 1,
      prompt: "Cancel order 1",
      final_text: "Cancelled.",
      steps: [{ tool: "cancel", arguments: { id: "1" }, result: "ok" }, { text: "Cancelled." }],
      markers: { actions_match: 1 },
    },
    { scenario_id: "tau-bench/retail/1", rollout_index: 0, reward: null, judge_status: "error" },
  ]);
  expect(report).toMatchObject({ format: "tau-bench", records: 2, rows: 2 });
  expect(report.warnings).toEqual([
    {
      code: "infrastructure_errors",
      text:
        "1 of 2 rollouts ended in an exception and has no reward: the mean over the others is 1.000, and 0.500 as " +
        "tau-bench counts it, with 0 for each.",
    },
  ]);
});

test("what the agent must not see is privileged, what the check found is judge_meta, the rest stays", () => {
  const [row, error] = read([success, failure]).rows;
  expect(row?.privileged).toEqual({
    hidden_state: { instruction: "secret", user_id: "u" },
    reference: '{"actions":[{"name":"cancel","kwargs":{"id":"1"}}],"outputs":[]}',
    rubric: { actions: [{ name: "look", kwargs: {} }] },
  });
  expect(row?.judge_meta).toEqual({
    scorer_kind: "rule",
    reward_info: { reward: 1, info: { r_actions: 1, gt_data_hash: "h" } },
  });
  expect(row?.tau_bench).toEqual({ task_id: 0, source: "user", user_cost: 0.25 });
  expect(row?.lineage).toMatchObject({ source: "eval", importer: "tau-bench" });
  expect(error?.judge_meta).toEqual({ error: "boom", traceback: "…", reward_counted: 0 });
});

test("the wiki goes to the report, once, and rows keep its stamp", () => {
  const { rows, report } = read([success, { ...success, trial: 3 }]);
  expect([...report.systemPrompts.values()]).toEqual(["# Retail agent policy"]);
  for (const row of rows) {
    expect(row.messages?.map(({ role }) => role)).not.toContain("system");
    expect(report.systemPrompts.has(row.lineage?.system_prompt_sha ?? "")).toBe(true);
  }
});

test("the file's name holds the models, the temperature and the strategy", () => {
  const file = "runs/tool-calling-gpt-4o-0.5_range_0--1_user-claude-3-llm_0612133717.json";
  expect(read([success], { file }).rows[0]).toMatchObject({
    model_version: "gpt-4o",
    user_model: "claude-3",
    sampling: { temperature: 0.5 },
    harness: { label: "tool-calling" },
    lineage: { file: "tool-calling-gpt-4o-0.5_range_0--1_user-claude-3-llm_0612133717.json" },
  });
  expect(read([success], { file: "gpt-4o-airline.json" }).rows[0]).not.toHaveProperty("model_version");
});

test.each([
  [{}, [failure, success], "retail", []],
  [{ env: "airline" }, [success], "airline", []],
  [{}, [failure], "unknown", ["unknown_env", "infrastructure_errors"]],
])("with %j the environment is found once a file", (options, items, env, codes) => {
  const { rows, report } = read(items, options);
  for (const row of rows) expect(row.scenario_id).toMatch(`tau-bench/${env}/`);
  expect(report.warnings.map(({ code }) => code).filter((code) => codes.includes(code as never))).toEqual(codes);
});

test("errors may be left out, and are counted then too", () => {
  const { rows, report } = read([success, failure], { keepErrors: false });
  expect(rows).toHaveLength(1);
  expect(report.skipped).toEqual(new Map([["infrastructure_error", 1]]));
});

test.each([
  [1 - 1e-7, {}, 1, "ok"],
  [0.5, {}, 0, "ok"],
  [3, {}, null, "invalid_result"],
  [0.5, { threshold: 0.5 }, 1, "ok"],
  [0.5, { scale: [0, 2] as const }, 0.25, "ok"],
])("a reward of %d with %j is %j", (reward, options, expected, status) => {
  const [row] = read([{ ...success, reward }], options).rows;
  expect(row?.reward).toBe(expected);
  expect(row?.judge_status ?? "ok").toBe(status);
  // Whatever it became, the file's own number is still there.
  expect(JSON.stringify(row)).toContain(String(reward));
});

test("a ReAct agent's actions are read out of its text, and tool answers out of the user's turns", () => {
  const traj = [
    { role: "system", content: "# Airline Agent Policy" },
    { role: "user", content: "Cancel order 1" },
    {
      role: "assistant",
      content: 'Thought:\nI look it up.\nAction:\n{"name": "find", "arguments": {"order_id": 9007199254740993}}',
    },
    { role: "user", content: 'API output: {"status": "open"}' },
    {
      role: "assistant",
      content: 'Thought:\nAsk.\nAction:\n{"name": "respond", "arguments": {"content": "Are you sure?"}}',
    },
    { role: "user", content: "Yes" },
    { role: "assistant", content: 'Action:\n{"name": "cancel", "arguments": {}}' },
    { role: "user", content: "API output: done" },
    { role: "assistant", content: "Action: {broken" },
  ];
  expect(read([{ ...success, traj }]).rows[0]).toMatchObject({
    prompt: "Cancel order 1",
    steps: [
      { tool: "find", arguments: { order_id: "9007199254740993" }, text: "I look it up.", result: { status: "open" } },
      { text: "Are you sure?" },
      { user: "Yes" },
      { tool: "cancel", arguments: {}, result: "done" },
      { text: "Action: {broken" },
    ],
    final_text: "Action: {broken",
    messages: traj.slice(1),
  });
});

test("two trials of one number in one file are one too many", () => {
  expect(() => read([success, success])).toThrow(/already the one of line 1/);
});

test.each(["task_id", "trial"])("a %s that names nothing is refused, whatever it inherits", (key) => {
  const item: Record<string, unknown> = {
    task_id: 1,
    trial: 0,
    reward: 1,
    info: {},
    traj: [],
    [key]: { toString: null },
  };
  expect(() => readRows(JSON.stringify([item]), { format: "tau-bench" })).toThrow(`line 1: ${key} is an object`);
});

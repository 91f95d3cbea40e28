import { expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const node = (role: string, content: string, parent: number | null, more: object = {}) => ({
  ...(parent === null ? {} : { parent }),
  message: { role, content },
  sampled: role === "assistant",
  ...more,
});

const trace = (fields: object = {}) => ({
  id: "t1",
  agent: { config: { model: "m" }, name: "agent" },
  nodes: [node("user", "2 + 2?", null), node("assistant", "4", 0)],
  calls: [],
  rewards: { correct: { score: 1, weight: 1 } },
  ok: true,
  errors: [],
  ...fields,
});

const episode = (traces: unknown[], data: object = { idx: 3, answer: "4" }) => ({
  id: "e1",
  env: { id: "sums" },
  task: { type: "Sums", data, key: "k" },
  ok: true,
  traces,
});

const read = (records: unknown[], options: object = {}) =>
  readRows(records.map((record) => JSON.stringify(record)).join("\n"), options);

test("the reward is the weighted sum, and rewardKey takes one of the rewards or metrics", () => {
  const rewards = { correct: { score: 1, weight: 0.5 }, brief: { score: 0.5, weight: 0.5 }, late: null };
  const record = episode([trace({ rewards, metrics: { words: 1, unknown: null } })]);
  const { rows, report } = read([record]);
  expect(report.format).toBe("verifiers-episodes");
  expect(rows[0]).toMatchObject({
    scenario_id: "sums/3",
    rollout_id: "t1",
    reward: 0.75,
    markers: { correct: 1, brief: 0.5, words: 1 },
    privileged: { reference: "4", hidden_state: { idx: 3 } },
  });
  expect(read([record], { rewardKey: "brief" }).rows[0]).toMatchObject({ reward: 0.5, judge_name: "brief" });
  expect(() => read([record], { rewardKey: "bref" })).toThrow("Pass rewardKey as one of words, correct, brief");
  expect(read([episode([trace({ rewards: {} })])]).rows[0]!.reward).toBeNull();
});

test("the last branch of the graph is the conversation, and that there are others is said", () => {
  const nodes = [
    node("system", "Add.", null),
    node("user", "2 + 2?", 0),
    node("assistant", "5", 1),
    node("user", "Sure?", 1),
    node("assistant", "4", 3),
  ];
  const { rows, report } = read([episode([trace({ nodes })])]);
  expect(rows[0]!.messages?.map(({ content }) => content)).toEqual(["2 + 2?", "Sure?", "4"]);
  expect([...report.systemPrompts.values()]).toEqual(["Add."]);
  expect(report.warnings.map(({ code }) => code)).toEqual(["branches"]);
});

test("agents of one episode have tasks of their own, and an episode without a trace is a lost rollout", () => {
  const agents = [trace(), trace({ id: "t2", agent: { name: "critic" } })];
  const lost = { ...episode([]), ok: false, errors: [{ type: "BootError", message: "no box" }] };
  const { rows, report } = read([episode(agents), lost]);
  expect(rows.map((row) => [row.scenario_id, row.reward, row.judge_status])).toEqual([
    ["sums/3/agent", 1, undefined],
    ["sums/3/critic", 1, undefined],
    ["sums/3", null, "error"],
  ]);
  expect(rows[2]!.judge_meta).toMatchObject({ error: "no box", type: "BootError" });
  expect(report.warnings.map(({ code }) => code)).toEqual(["infrastructure_errors"]);
});

test.each([
  ["a parent that is none", [node("user", "a", 7)], "a parent is none of the nodes"],
  [
    "a circle",
    [node("user", "a", 1), node("assistant", "b", 0), node("user", "c", 1)],
    "a parent is none of the nodes",
  ],
  ["a message without a role", [{ message: {} }], "a message has no role"],
  ["a node that is none", ["x"], "a node is no object"],
])("%s is refused", (_, nodes, what) => {
  expect(() => read([episode([trace({ nodes })])])).toThrow(what);
});

test.each([
  ["the id of the source", { id: "djan-1", idx: 3 }, "sums/djan-1"],
  ["its place in the set", { idx: 0 }, "sums/0"],
  ["its key", {}, "sums/k"],
])("a task is called by %s", (_, data, scenario) => {
  expect(read([episode([trace()], data)]).rows[0]!.scenario_id).toBe(scenario);
});

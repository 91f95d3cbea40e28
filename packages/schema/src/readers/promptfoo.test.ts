import { expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const passed = {
  promptIdx: 0,
  testIdx: 0,
  promptId: "p1",
  provider: { id: "openai:m", label: "m" },
  prompt: { raw: "Capital of France?", label: "ask" },
  vars: { country: "France" },
  testCase: { vars: { country: "France" }, assert: [{ type: "equals", value: "Paris" }] },
  response: { output: "Paris", tokenUsage: { prompt: 9, completion: 1, total: 10 } },
  success: true,
  score: 0.75,
  failureReason: 0,
  namedScores: { brief: 1 },
  gradingResult: { pass: true, score: 0.75, reason: "ok", componentResults: [] },
};

function read(results: readonly unknown[], options: object = {}) {
  return readRows(JSON.stringify({ evalId: "e", results: { version: 3, results } }), options);
}

test("a result is a row of its variables, with its model and its prompt", () => {
  const { rows, report } = read([passed]);
  expect(rows).toMatchObject([
    {
      rollout_index: 0,
      prompt: "Capital of France?",
      final_text: "Paris",
      reward: 1,
      reason: "ok",
      markers: { brief: 1 },
      model_version: "m",
      policy_version: "openai:m@p1",
      usage: { input_tokens: 9, output_tokens: 1, total: 10 },
      judge_meta: { score: 0.75 },
      privileged: { rubric: { test_case: { assert: [{ type: "equals", value: "Paris" }] } } },
    },
  ]);
  expect(rows[0]?.scenario_id).toMatch(/^promptfoo\/[0-9a-f]{12}$/);
  expect(report.meta).toEqual({ promptfoo: { evalId: "e", version: 3 } });
  expect(report.warnings).toEqual([]);
});

test("a document, a summary alone and lines are the same results", () => {
  const { rows } = read([passed, { ...passed, testIdx: 1 }]);
  const lines = [passed, { ...passed, testIdx: 1 }].map((result) => JSON.stringify(result)).join("\n");
  const inBoth = ({ rows: all }: ReturnType<typeof read>) => all.map(({ rollout_id: _, ...row }) => row);
  expect(inBoth(readRows(lines))).toEqual(inBoth({ rows } as ReturnType<typeof read>));
  const summary = { version: 3, results: [passed], stats: {}, prompts: [] };
  expect(readRows(JSON.stringify(summary)).rows).toHaveLength(1);
  const older = { results: { version: 2, results: [passed], table: { head: {}, body: [] } } };
  expect(readRows(JSON.stringify(older, null, 2)).report.meta).toEqual({ promptfoo: { version: 2 } });
});

test("repeats share a task, whatever their testIdx, and arms are told apart", () => {
  const other = { ...passed, provider: { id: "openai:n" } };
  const { rows, report } = read([passed, other, { ...passed, testIdx: 1 }, { ...passed, vars: { country: "Peru" } }]);
  expect(new Set(rows.map(({ scenario_id: task }) => task)).size).toBe(2);
  expect(rows.map(({ model_version: model, rollout_index: index }) => [model, index])).toEqual([
    ["m", 0],
    ["openai:n", 0],
    ["m", 1],
    ["m", 0],
  ]);
  expect(report.warnings.map(({ code }) => code)).toEqual(["several_arms"]);
});

const graderError = { pass: false, score: 0, componentResults: [{ pass: false, metadata: { graderError: true } }] };

test.each([
  ["a call that failed", { failureReason: 2, error: "429", success: false }, null],
  ["a grader that failed", { failureReason: 1, success: false, gradingResult: graderError }, null],
  ["an error before there were reasons", { failureReason: undefined, error: "x", gradingResult: null }, null],
  ["an assertion that failed", { failureReason: 1, error: "Expected …", success: false }, 0],
])("%s has the reward %j", (_, fields, reward) => {
  const { rows, report } = read([passed, { ...passed, ...fields }]);
  expect(rows[1]?.reward).toBe(reward);
  expect(rows[1]?.judge_status).toBe(reward === null ? "error" : undefined);
  const warning = report.warnings.find(({ code }) => code === "infrastructure_errors")?.text;
  if (reward === 0) expect(warning).toBeUndefined();
  else expect(warning).toContain("1.000, and 0.500 as promptfoo counts it, with 0 for each.");
});

test.each([
  [{}, 1],
  [{ rewardKey: "score" }, 0.75],
  [{ rewardKey: "score", threshold: 0.8 }, 0],
  [{ rewardKey: "brief" }, 1],
])("with %j the reward is %j", (options, reward) => {
  expect(read([passed], options).rows[0]?.reward).toBe(reward);
});

test("a score that is not there is refused with those that are", () => {
  expect(() => read([passed], { rewardKey: "polite" })).toThrow(
    "There is no metric polite. Pass rewardKey as one of brief, success, score.",
  );
});

test("repeats from the cache are one draw, and that is said", () => {
  const cached = { ...passed, testIdx: 1, response: { ...passed.response, cached: true } };
  expect(read([passed, cached]).report.warnings).toMatchObject([{ code: "cached_repeats" }]);
  expect(read([cached]).report.warnings).toEqual([]);
});

test("a prompt that is a chat asks its last turn; an output that is no text is its JSON", () => {
  const raw = JSON.stringify([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Capital of France?" },
  ]);
  const { rows, report } = read([{ ...passed, prompt: { raw }, response: { output: { city: "Paris" } } }]);
  expect(rows[0]).toMatchObject({ prompt: "Capital of France?", final_text: '{"city": "Paris"}' });
  expect([...report.systemPrompts.values()]).toEqual(["Be brief."]);
});

test("only the variables that the prompt shows are for everyone", () => {
  const [row] = read([{ ...passed, vars: { country: "France", answer: "Paris" } }]).rows;
  expect(row?.promptfoo).toMatchObject({ vars: { country: "France" } });
  expect(row?.privileged).toMatchObject({ hidden_state: { vars: { answer: "Paris" } } });
});

test("a result that cannot be read is refused with its place, and the others can be read without it", () => {
  const { prompt: _, ...broken } = passed;
  expect(() => read([passed, broken, 7])).toThrow(/results\[1\]: The result has no prompt.*results\[2\]: It is not an/);
  const { rows, report } = read([passed, broken, 7], { onBadRow: "skip" });
  expect(rows).toHaveLength(1);
  expect(report.nBadLines).toBe(2);
});

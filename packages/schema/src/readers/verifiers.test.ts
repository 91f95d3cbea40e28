import { expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const user = { role: "user", content: "2+2?" };
const call = '{"id":"c","name":"add","arguments":"{\\"a\\":2}"}';
const passed = {
  example_id: 3,
  prompt: [user],
  completion: [
    { role: "assistant", content: "", tool_calls: [call] },
    { role: "tool", tool_call_id: "c", content: "4" },
    { role: "assistant", content: "4" },
  ],
  answer: "4",
  reward: 1,
  metrics: { correct: 1 },
  correct: 1,
  is_truncated: false,
};
const outside = {
  example_id: 3,
  prompt: [user],
  completion: [{ role: "assistant", content: "5" }],
  reward: 1.5,
  metrics: {},
  is_truncated: true,
};
const failed = { ...passed, example_id: 4, reward: 0, error: { error: "ModelError" }, completion: null };

function read(lines: readonly object[], options: object = {}) {
  return readRows(lines.map((line) => JSON.stringify(line)).join("\n"), options);
}

function faultOf(lines: readonly object[], options: object): unknown {
  try {
    return read(lines, options);
  } catch (error) {
    return error;
  }
}

test("a line is a row of its environment's example, with the calls that were JSON text", () => {
  expect(read([passed, outside]).rows).toMatchObject([
    {
      scenario_id: "verifiers/3",
      rollout_index: 0,
      prompt: "2+2?",
      final_text: "4",
      steps: [{ tool: "add", arguments: { a: 2 }, result: "4" }, { text: "4" }],
      reward: 1,
      markers: { correct: 1 },
    },
    {
      scenario_id: "verifiers/3",
      rollout_index: 1,
      final_text: "5",
      reward: null,
      judge_status: "invalid_result",
      finish_reason: "length",
    },
  ]);
});

test("an error is a lost trial, and the report has both means", () => {
  const { rows, report } = read([passed, failed], { env: "sums" });
  expect(rows[1]).toMatchObject({
    scenario_id: "sums/4",
    prompt: "2+2?",
    final_text: "",
    reward: null,
    judge_status: "error",
    judge_meta: { error: "ModelError", reward_counted: 0 },
  });
  expect(report.warnings).toEqual([
    {
      code: "infrastructure_errors",
      text:
        "1 of 2 rollouts ended in an error and has no reward: the mean over the others is 1.000, and 0.500 as " +
        "verifiers counts it, with the reward of the file for each.",
    },
  ]);
});

test.each([
  [{}, [1, null]],
  [{ threshold: 0.5 }, [1, 1]],
  [{ scale: [0, 2] }, [0.5, 0.75]],
  [{ rewardKey: "correct" }, [1, null]],
])("with %j the rewards are %j", (options, rewards) => {
  const { rows } = read([passed, outside], options);
  expect(rows.map(({ reward }) => reward)).toEqual(rewards);
  // Whatever it became, the file's own number is still there.
  expect(JSON.stringify(rows[1])).toContain("1.5");
});

test("a metric that is not there is refused with those that are", () => {
  expect(faultOf([{ ...passed, metrics: { correct: 1, brief: 0 } }], { rewardKey: "corect" })).toMatchObject({
    code: "bad_option",
    what: "There is no metric corect.",
    fix: "Pass rewardKey as one of correct, brief.",
  });
});

test("older lines have an id, texts, and their metrics among the other keys", () => {
  const older = { id: 0, prompt: "2+2?", completion: "4", task: "default", reward: 1, total_ms: 5, exact: 1 };
  expect(read([{ ...older, generation_ms: 4, scoring_ms: 1 }]).rows[0]).toMatchObject({
    scenario_id: "verifiers/0",
    prompt: "2+2?",
    final_text: "4",
    markers: { exact: 1 },
    verifiers: { id: 0, task: "default", generation_ms: 4, scoring_ms: 1, total_ms: 5 },
  });
});

test("a prompt that the completion begins with was asked once", () => {
  const completion = [
    { ...user, tool_calls: null },
    { role: "assistant", content: "4" },
  ];
  expect(read([{ ...passed, completion }]).rows[0]).toMatchObject({
    prompt: "2+2?",
    steps: [{ text: "4" }],
    messages: [user, { role: "assistant", content: "4" }],
  });
});

test("metrics may be called anything", () => {
  const line = '{"example_id":1,"prompt":"p","completion":"c","reward":1,"metrics":{"__proto__":0.5},"__proto__":0.5}';
  const [row] = readRows(line).rows;
  expect(Object.entries(row?.markers ?? {})).toEqual([["__proto__", 0.5]]);
});

test("a last line that is cut off is dropped and said, unless it is wanted refused", () => {
  const text = `${JSON.stringify(passed)}\n{"example_id": 4, "pro`;
  const { rows, report } = readRows(text);
  expect(rows).toHaveLength(1);
  expect(report).toMatchObject({ droppedTail: true, nBadLines: 0 });
  expect(() => readRows(text, { tolerateTail: false })).toThrow(/line 2/);
  expect(() => readRows(`{"example_id": 4, "pro\n${JSON.stringify(passed)}`)).toThrow(/line 1/);
});

test.each([
  ["prompt", { prompt: 7 }],
  ["completion", { completion: [{ content: "no role" }] }],
])("a %s that is no conversation is refused", (name, fields) => {
  expect(() => read([{ ...passed, ...fields }])).toThrow(`line 1: ${name} is neither a text nor a list of messages`);
});

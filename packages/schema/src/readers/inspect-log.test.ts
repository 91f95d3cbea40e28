import { expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const sample = {
  id: 7,
  epoch: 2,
  input: "What is 7 * 6?",
  target: "42",
  messages: [
    { role: "user", content: "attachment://h1" },
    { role: "assistant", content: "42" },
  ],
  attachments: { h1: "What is 7 * 6?" },
  output: { choices: [{ message: { role: "assistant", content: "42" }, stop_reason: "stop" }] },
  scores: { match: { value: "C", answer: "42", explanation: "exact" } },
};

const failed = {
  id: 8,
  epoch: 1,
  input: "x",
  target: "y",
  messages: [],
  output: { choices: [] },
  error: { message: "rate limit" },
};

const about = { eval_id: "e1", run_id: "r1", task: "arith", model: "openai/m" };

function read(samples: readonly unknown[], options: object = {}, log: object = {}) {
  return readRows(JSON.stringify({ version: 2, status: "success", eval: about, samples, ...log }), options);
}

function faultOf(samples: readonly unknown[], options: object = {}): unknown {
  try {
    return read(samples, options);
  } catch (error) {
    return error;
  }
}

function scoredBy(scores: object) {
  return { ...sample, scores };
}

test("a sample in one epoch is a row of its task's sample, and an error is a lost trial", () => {
  const { rows, report } = read([sample, failed]);
  expect(rows).toMatchObject([
    {
      scenario_id: "arith/7",
      rollout_index: 1,
      rollout_id: "e1/7/2",
      prompt: "What is 7 * 6?",
      final_text: "42",
      reward: 1,
      markers: { match: 1 },
      judge_name: "match",
      reason: "exact",
      model_version: "openai/m",
      finish_reason: "stop",
      privileged: { reference: "42" },
      judge_meta: { value: "C", answer: "42" },
    },
    { scenario_id: "arith/8", rollout_index: 0, prompt: "x", reward: null, judge_status: "error" },
  ]);
  expect(rows[0]?.messages?.[0]?.content).toBe("What is 7 * 6?");
  expect(report.warnings.map(({ text }) => text)).toEqual([
    "1 of 2 rollouts ended in an error and has no reward: the mean over the others is 1.000; Inspect leaves them out too.",
  ]);
});

test.each([
  ["C", 1],
  ["I", 0],
  ["P", 0.5],
  ["N", 0],
  [true, 1],
  [false, 0],
  [0.25, 0.25],
  ["0.75", 0.75],
  ["yes", 1],
  ["No", 0],
  ["TRUE", 1],
  ["unsure", null],
  ["", null],
  [null, null],
  [7, null],
])("the score %j is the reward %j", (value, reward) => {
  const [row] = read([scoredBy({ judge: { value } })]).rows;
  expect(row?.reward).toBe(reward);
  expect(row?.judge_status).toBe(value === 7 ? "invalid_result" : undefined);
});

test("scores that nobody can read are counted, with the first of them", () => {
  const samples = ["unsure", [1, 2]].map((value, i) => ({ ...scoredBy({ judge: { value } }), epoch: i + 1 }));
  expect(read(samples).report.warnings).toMatchObject([
    {
      code: "unread_scores",
      text: '2 samples have no reward, because the score is no number and no word for one: the first is "unsure".',
    },
  ]);
});

const both = scoredBy({ style: { value: 0.5 }, match: { value: "C" } });

test("of several scorers the first one listed is the reward, and the others are named", () => {
  const { rows, report } = read([both]);
  expect(rows[0]).toMatchObject({ reward: 0.5, judge_name: "style", markers: { style: 0.5, match: 1 } });
  expect(report.warnings).toMatchObject([
    {
      code: "scorer_chosen",
      text: "The reward is that of the scorer style; the log also has match. Pass scorer to take another.",
    },
  ]);
  const listed = read([both], {}, { eval: { ...about, scorers: [{ name: "match" }, { name: "style" }] } });
  expect(listed.rows[0]).toMatchObject({ reward: 1, judge_name: "match" });
  const asked = read([both], { scorer: "match" });
  expect(asked.rows[0]?.reward).toBe(1);
  expect(asked.report.warnings).toEqual([]);
  expect(faultOf([both], { scorer: "mtch" })).toMatchObject({
    code: "bad_option",
    what: "No sample was scored by mtch.",
    fix: "Pass scorer as one of style, match.",
  });
});

test("a scorer with several numbers is refused until one is named", () => {
  const parts = scoredBy({ judge: { value: { brief: 1, kind: 0.25 } } });
  expect(faultOf([parts])).toMatchObject({
    code: "bad_option",
    what: "The scorer judge gives 2 numbers a sample.",
    fix: "Pass scoreKey as one of brief, kind.",
  });
  expect(faultOf([parts], { scoreKey: "kindness" })).toMatchObject({ code: "bad_option" });
  expect(read([parts], { scoreKey: "kind" }).rows[0]).toMatchObject({
    reward: 0.25,
    markers: { "judge.brief": 1, "judge.kind": 0.25 },
  });
  expect(read([scoredBy({ judge: { value: { brief: 1 } } })]).rows[0]?.reward).toBe(1);
});

test("a log without scores is ungraded; the first logs had one score without a name", () => {
  const { scores: _, ...bare } = sample;
  expect(read([bare]).rows[0]?.reward).toBeNull();
  expect(read([{ ...bare, score: { value: "I" } }]).rows[0]).toMatchObject({ reward: 0, judge_name: "score" });
});

test("scorers may be called anything", () => {
  const text = JSON.stringify(scoredBy({ proto: { value: "C" } })).replace('"proto"', '"__proto__"');
  const [row] = readRows(`{"status":"success","eval":{"task":"t","model":"m"},"samples":[${text}]}`).rows;
  expect(row?.reward).toBe(1);
  expect(Object.entries(row?.markers ?? {})).toEqual([["__proto__", 1]]);
});

test("invalidated samples are left out and counted", () => {
  const { rows, report } = read([sample, { ...sample, epoch: 1, invalidation: { reason: "wrong" } }]);
  expect(rows).toHaveLength(1);
  expect(report.skipped).toEqual(new Map([["invalidated", 1]]));
});

test.each([
  [{ stop_reason: "max_tokens" }, undefined, "length"],
  [{ stop_reason: "model_length" }, undefined, "length"],
  [{ stop_reason: "tool_calls" }, undefined, "tool"],
  [{ stop_reason: "stop" }, { type: "message", limit: 9 }, "length"],
  [{ stop_reason: "stop" }, { type: "time", limit: 9 }, "stop"],
])("with %j and the limit %j it ended with %s", (choice, limit, reason) => {
  const [row] = read([{ ...sample, output: { choices: [{ message: {}, ...choice }] }, limit }]).rows;
  expect(row?.finish_reason).toBe(reason);
});

test("tool calls are steps, and an answer that is an error says so", () => {
  const messages = [
    { role: "user", content: "7 * 6?" },
    { role: "assistant", content: "", tool_calls: [{ id: "k", function: "multiply", arguments: { a: 7 } }] },
    { role: "tool", tool_call_id: "k", function: "multiply", content: "", error: { type: "timeout", message: "slow" } },
  ];
  expect(read([{ ...sample, messages }]).rows[0]?.steps).toMatchObject([
    { tool: "multiply", arguments: { a: 7 }, result: { status: "error", error: "slow" } },
  ]);
});

test.each([
  ["success", {}, null],
  ["error", { results: { total_samples: 10, completed_samples: 3 } }, "error, with 3 of 10 samples completed"],
  ["started", { eval: { ...about, dataset: { samples: 5 }, config: { epochs: 2 } } }, "started, with 1 of 10 samples"],
  ["cancelled", {}, "cancelled, with 1 of an unknown number of samples"],
])("a run whose status is %s is said to be incomplete, unless it succeeded", (status, log, text) => {
  const [warning] = read([sample], {}, { status, ...log }).report.warnings;
  if (text === null) expect(warning).toBeUndefined();
  else expect(warning?.text).toContain(text);
});

test("usage is that of the model that was evaluated", () => {
  const usages = { "openai/m": { input_tokens: 5, output_tokens: 1 }, grader: { input_tokens: 99, output_tokens: 9 } };
  expect(read([{ ...sample, model_usage: usages }]).rows[0]?.usage).toEqual({ input_tokens: 5, output_tokens: 1 });
});

test("an attachment that is missing stays a reference, and one that nothing names is kept", () => {
  const [row] = read([{ ...sample, attachments: { h2: "other" } }]).rows;
  expect(row?.messages?.[0]?.content).toBe("attachment://h1");
  expect(row?.inspect).toMatchObject({ attachments: { h2: "other" } });
});

test("a log without samples, and a sample that cannot be read, are refused", () => {
  expect(() => readRows(JSON.stringify({ status: "success", eval: about }))).toThrow("The log has no samples.");
  expect(() => read([sample, { ...sample, epoch: 3, messages: [{ content: "x" }] }])).toThrow(/samples\[1\]: messages/);
});

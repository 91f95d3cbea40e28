import { expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const FILE = "samples_gsm8k_2026-01-02T03-04-05.jsonl";

const sample = {
  doc_id: 12,
  doc: { question: "q" },
  target: "6",
  arguments: { gen_args_0: { arg_0: "Q: 10-4?", arg_1: { temperature: 0.0, until: ["\n"] } } },
  resps: [["6"]],
  filtered_resps: ["6"],
  filter: "strict-match",
  metrics: ["exact_match"],
  doc_hash: "d",
  prompt_hash: "p",
  target_hash: "t",
  exact_match: 1.0,
};

const choice = {
  doc_id: 0,
  doc: {},
  target: "1",
  arguments: [
    ["The sky is", " green"],
    ["The sky is", " blue"],
  ],
  resps: [[["-4.5", "False"]], [["-1.25", "True"]]],
  filtered_resps: [
    ["-4.5", "False"],
    ["-1.25", "True"],
  ],
  acc: 1,
};

function read(lines: readonly object[], options: object = {}) {
  return readRows(lines.map((line) => JSON.stringify(line)).join("\n"), { file: FILE, ...options });
}

function faultOf(lines: readonly object[], options: object = {}): unknown {
  try {
    return read(lines, options);
  } catch (error) {
    return error;
  }
}

test("a sample is a row of its task's question", () => {
  const { rows, report } = read([sample]);
  expect(rows).toMatchObject([
    {
      scenario_id: "gsm8k/12",
      prompt: "Q: 10-4?",
      final_text: "6",
      reward: 1,
      markers: { exact_match: 1 },
      sampling: { temperature: 0 },
      judge_name: "exact_match",
      privileged: { reference: "6", hidden_state: { doc: { question: "q" } } },
    },
  ]);
  expect(report.warnings).toEqual([]);
});

test("several filters are refused with their names, however late the second one comes", () => {
  const lines = [
    ...Array.from({ length: 30 }, (_, i) => ({ ...sample, doc_id: i })),
    { ...sample, filter: "flexible-extract" },
    { ...sample, filter: "maj@8" },
  ];
  expect(faultOf(lines)).toMatchObject({
    code: "bad_option",
    what: "Every question stands in the samples 3 times, once for each filter of the answers.",
    fix: "Pass filter as one of strict-match, flexible-extract, maj@8.",
    place: { file: FILE },
  });
});

test("a filter that is named is read, and the others are counted", () => {
  const lines = [sample, { ...sample, filter: "flexible-extract", exact_match: 0 }];
  const { rows, report } = read(lines, { filter: "flexible-extract" });
  expect(rows).toMatchObject([{ reward: 0, judge_meta: { filter: "flexible-extract" } }]);
  expect(report.skipped).toEqual(new Map([["other_filter", 1]]));
  expect(faultOf(lines, { filter: "flexible" })).toMatchObject({
    code: "bad_option",
    fix: "Pass filter as one of strict-match, flexible-extract.",
  });
  // A task without filters is not meant by the name of one.
  expect(read([choice], { filter: "strict-match" }).rows).toHaveLength(1);
});

test.each([
  [{ acc: 1, acc_norm: 0 }, {}, 1, ["acc_norm"]],
  [{ acc: 1, acc_norm: 0 }, { rewardKey: "acc_norm" }, 0, null],
  [{ f1: 0.5 }, {}, 0.5, null],
  [{ bleu: 34.5 }, {}, null, null],
  [{ bleu: 34.5 }, { scale: [0, 100] }, 0.345, null],
  [{ acc: true }, {}, 1, null],
  [{}, {}, null, null],
])("of the metrics %j with %j the reward is %j", (metrics, options, reward, others) => {
  const { filter: _, metrics: __, exact_match: ___, ...rest } = sample;
  const { rows, report } = read([{ ...rest, ...metrics }], options);
  expect(rows[0]?.reward).toBe(reward);
  expect(Object.keys(rows[0]?.markers ?? {})).toEqual(Object.keys(metrics));
  const chosen = report.warnings.find(({ code }) => code === "metric_chosen")?.text;
  if (others === null) expect(chosen).toBeUndefined();
  else expect(chosen).toContain(`the samples also have ${others.join(", ")}. Pass rewardKey`);
});

test("several metrics, none of them known to be a verdict, are refused with their names", () => {
  const { metrics: _, exact_match: __, ...rest } = sample;
  expect(faultOf([{ ...rest, bleu: 1, rouge1: 0 }])).toMatchObject({
    code: "bad_option",
    fix: "Pass rewardKey as one of bleu, rouge1.",
  });
});

test("in a multiple choice the answer is the continuation that the model finds likeliest", () => {
  expect(read([choice]).rows[0]).toMatchObject({ prompt: "The sky is", final_text: "blue", reward: 1 });
  const inContext = { ...choice, arguments: { gen_args_0: { arg_0: "A cat, so it", arg_1: " purrs." } } };
  inContext.arguments = { ...inContext.arguments, gen_args_1: { arg_0: "A dog, so it", arg_1: " purrs." } } as never;
  expect(read([inContext]).rows[0]).toMatchObject({ prompt: "A ", final_text: "dog, so it purrs." });
});

test("how likely the right answer is says nothing that the model said", () => {
  const likelihood = { ...choice, arguments: [["The sky is", " blue"]], filtered_resps: [["-1.25", "True"]] };
  const [row] = read([likelihood]).rows;
  expect(row).toMatchObject({ prompt: "The sky is", final_text: "", reward: 1 });
  expect(row?.privileged?.hidden_state).toMatchObject({ arguments: [["The sky is", " blue"]] });
});

test("a chat with examples asks its last turn, and the examples are nobody's steps", () => {
  const chat = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "1+1?" },
    { role: "assistant", content: "2" },
    { role: "user", content: "10-4?" },
  ];
  const { rows, report } = read([{ ...sample, arguments: [[JSON.stringify(chat), {}]] }]);
  expect(rows[0]).toMatchObject({ prompt: "10-4?", steps: [], final_text: "6" });
  expect(rows[0]?.messages?.map(({ content }) => content)).toEqual(["1+1?", "2", "10-4?", "6"]);
  expect([...report.systemPrompts.values()]).toEqual(["Be brief."]);
});

test("answers that have a verdict each are rows, answers under one verdict are one", () => {
  const repeats = { ...sample, resps: [["6", "7"]], filtered_resps: [["6", "7"]] };
  const each = read([{ ...repeats, exact_match: [1, 0] }]);
  expect(each.rows.map(({ final_text: text, reward, rollout_index: i }) => [text, reward, i])).toEqual([
    ["6", 1, 0],
    ["7", 0, 1],
  ]);
  const together = read([repeats]);
  expect(together.rows).toHaveLength(1);
  expect(together.report.warnings.map(({ code }) => code)).toEqual(["repeats_in_one_row"]);
});

test("a metric that is made of all samples together is no reward, and that is said", () => {
  const { exact_match: _, ...rest } = sample;
  const { rows, report } = read([{ ...rest, metrics: ["f1"], f1: ["PER: A", ["per: b"]] }]);
  expect(rows).toMatchObject([{ reward: null, privileged: { rubric: { f1: ["PER: A", ["per: b"]] } } }]);
  expect(report.warnings).toEqual([
    {
      code: "unread_metrics",
      text: `${FILE}: f1 is no number of a sample but made of all of them together, so the samples have no reward.`,
    },
  ]);
  // A target and an answer are no verdicts on two answers.
  expect(read([{ ...rest, metrics: ["f1"], f1: [1, 0], filtered_resps: [["a", "b"]] }]).rows).toHaveLength(1);
});

test.each([
  [FILE, {}, "gsm8k/12"],
  ["samples_mmlu_pro_2026-01-02T03-04-05.123456.jsonl.gz", {}, "mmlu_pro/12"],
  ["other.jsonl", {}, "lm-eval/12"],
  ["other.jsonl", { env: "gsm8k" }, "gsm8k/12"],
])("in %s with %j the task is %s", (file, options, scenario) => {
  const { rows, report } = read([sample], { file, ...options });
  expect(rows[0]?.scenario_id).toBe(scenario);
  expect(report.warnings.some(({ code }) => code === "unknown_env")).toBe(scenario.startsWith("lm-eval"));
});

import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import type { Judge } from "../judge/judge.ts";
import type { ModelCall, ModelMessage } from "../judge/model-call.ts";
import { rubric } from "../rubric/rubric.ts";
import { JudgeTrustError } from "../trust/trust-after-grade.ts";
import { formatGrade } from "./format-grade.ts";
import { grade } from "./grade.ts";

const gold = (label: 0 | 1): Row => ({
  gold_reward: label,
  gold_kind: "human",
  gold_labels: [{ label, annotator: "ann", kind: "human" }],
});

/** 60 labeled rows, half of them good, and 20 without a label. */
const ROWS: Row[] = Array.from({ length: 80 }, (_, i) => ({
  ...{ task_id: `t${i}`, prompt: `p${i}`, final_text: i % 2 === 0 ? "good" : "bad" },
  ...(i < 60 ? gold(i % 2 === 0 ? 1 : 0) : {}),
}));
const honest: Judge = ({ final_text }) => final_text === "good";
const lenient: Judge = () => 1;

function model(answer: string): ModelCall & { asked: (readonly ModelMessage[])[] } {
  const asked: (readonly ModelMessage[])[] = [];
  const call = async (messages: readonly ModelMessage[]) => {
    asked.push(messages);
    return answer;
  };
  return Object.assign(call, { modelName: "openai:m", asked });
}

test("a judge that agrees with the labels is stamped on every graded row", async () => {
  const { rows, report } = await grade(ROWS, { judge: honest });
  expect(report.trust).toEqual({
    agreement: 1,
    agreement_low: 0.9398,
    kappa: 1,
    n_gold: 60,
    ok: true,
    goldKind: "human",
  });
  expect(rows.filter(({ judge_meta }) => (judge_meta!.trust as { ok: boolean }).ok)).toHaveLength(80);
  expect(formatGrade(report)).toBe(
    [
      "graded 80 of 80 rows by honest: mean reward 0.500",
      "  judge holds: agrees with 100% of 60 labels (human), interval from 0.9398; kappa 1.00",
    ].join("\n"),
  );
});

test("a judge that does not agree is warned of, refused or not looked at", async () => {
  const { report } = await grade(ROWS, { judge: lenient });
  expect(report.trust).toMatchObject({ ok: false, agreement: 0.5 });
  expect(report.warnings.map(({ code }) => code)).toEqual(["judge_trust"]);
  await expect(grade(ROWS, { judge: lenient, trust: "require" })).rejects.toThrow(JudgeTrustError);
  const error: JudgeTrustError = await grade(ROWS, { judge: lenient, trust: "require" }).catch((thrown) => thrown);
  expect(error.rows).toHaveLength(80);
  expect(await grade(ROWS, { judge: lenient, trust: "off" })).toMatchObject({ report: { trust: null, warnings: [] } });
});

test("rows without labels leave the judge unmeasured, in one line", async () => {
  const { report } = await grade(ROWS.slice(60), { judge: honest });
  expect(formatGrade(report)).toMatch(
    /^graded 20 of 20.*1 warning\n {2}judge not measured\n! accuracy of the judge not measured/,
  );
});

test("a model is warmed once, asked with the run's prompt and tools, and warned of when it wrote the replies", async () => {
  const ask = model('{"score":1}');
  const source = {
    rows: [{ prompt: "a", model_version: "m" }],
    systemPrompt: "Be kind.",
    tools: [{ function: { name: "x" } }],
  };
  const { rows, report } = await grade(source, { model: ask });
  expect(ask.asked).toHaveLength(2);
  expect(ask.asked[1]![1]!.content).toContain('"tools_not_called":["x"]');
  expect(ask.asked[1]![1]!.content).toContain('"agent_policy":"Be kind."');
  expect(rows[0]).toMatchObject({ reward: 1, judge_name: "judge:openai:m:conduct-floor" });
  expect(report).toMatchObject({ nSelfJudged: 1, warmup: { ok: true } });
  expect(report.warnings.map(({ code }) => code)).toEqual(["no_tool_calls", "self_judged", "judge_trust"]);
});

test("prose and checklists as rubrics", async () => {
  const prose = model('{"score":0}');
  await grade([{ prompt: "a" }], { model: prose, rubric: "Quotes the total.", warm: false });
  expect(prose.asked[0]![0]!.content).toContain("Quotes the total.");
  const items = await grade([{ prompt: "a" }], {
    model: model('{"criteria":{"1":true}}'),
    rubric: rubric([{ title: "Polite" }]),
    warm: false,
  });
  expect(items.rows[0]).toMatchObject({ reward: 1, markers: { "rubric:polite": 1 } });
});

test("a row that a model fails is classed by the rule of conduct that it breaks, where the verdict names no class", async () => {
  const rows: Row[] = [
    { prompt: "Refund 7.", final_text: "" },
    { prompt: "Refund 7.", final_text: "Done.", steps: [{ tool: "fly", arguments: {}, result: "ok" }] },
    { prompt: "Say hello.", final_text: "Hello." },
  ];
  const classes = async (options: object, given: readonly Row[] = rows) =>
    (
      await grade({ rows: given, tools: [{ function: { name: "refund" } }] }, { warm: false, ...options } as never)
    ).rows.map(({ failure_class }) => failure_class);
  expect(await classes({ model: model('{"score":0}') })).toEqual(["empty_reply", "undeclared_tool", undefined]);
  expect(await classes({ model: model('{"score":0}'), tools: ["fly"] })).toEqual(["empty_reply", undefined, undefined]);
  expect(await classes({ model: model('{"score":1}') })).toEqual([undefined, undefined, undefined]);
  expect(await classes({ model: model("?") })).toEqual([undefined, undefined, undefined]);
  const own: Judge = () => ({ reward: 0, failure_class: "late" });
  expect(await classes({ judge: own, warm: undefined })).toEqual(["late", "late", "late"]);
});

test("a question with a probability: rows near to even are counted", async () => {
  const unsure = model('{"reason":"r","decision":"no","probability":0.45}');
  const { rows, report } = await grade([{ prompt: "a" }], { model: unsure, question: "Was it made?", warm: false });
  expect(unsure.asked[0]![0]!.content).toContain("Question: Was it made?");
  expect(rows[0]).toMatchObject({ reward: 0, judge_meta: { decision: "no", confidence: 0.55, unsure: true } });
  expect(report.nUnsure).toBe(1);
  expect(formatGrade(report)).toContain("\n  unsure of 1 row: read them first\n");
});

test("rows that a length limit failed stay as they are, in their place", async () => {
  const capped: Row = { prompt: "c", reward: 0, judge_name: "length_cap", judge_status: "ok" };
  const { rows, report } = await grade([{ prompt: "a" }, capped, { prompt: "b" }], { model: model("1"), warm: false });
  expect(rows.map(({ prompt, reward }) => [prompt, reward])).toEqual([
    ["a", 1],
    ["c", 0],
    ["b", 1],
  ]);
  expect(report).toMatchObject({ nLengthCapped: 1, nRows: 2 });
});

test.each<[options: object, message: RegExp]>([
  [{}, /no judge and no model/],
  [{ judge: lenient, model: model("1") }, /a judge and a model/],
  [{ judge: lenient, rubric: "x" }, /rubric was given with a judge/],
  [{ judge: lenient, question: "Is it?" }, /question was given with a judge/],
  [{ model: model("1"), rubric: "x", question: "Is it?" }, /a rubric and a question/],
  [{ judge: lenient, trust: "maybe" }, /trust is "maybe"/],
  [{ judge: lenient, concurency: 3 }, /Did you mean concurrency/],
])("%j is refused", async (options, message) => {
  await expect(grade([], options)).rejects.toThrow(message);
});

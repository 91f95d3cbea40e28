import { expect, test } from "vitest";
import { decisionJudge } from "./decision-judge.ts";
import type { JudgeVerdict } from "./judge.ts";
import type { ModelCall } from "./model-call.ts";

const QUESTION = "Was the refund made?";
const answering = (text: string): ModelCall => Object.assign(async () => text, { modelName: "openai:m" });
const verdictOf = async (text: string) =>
  (await decisionJudge(answering(text), { question: QUESTION })({ prompt: "p", final_text: "r" })) as JudgeVerdict;

test.each<[decision: string, probability: number, reward: number, meta: object]>([
  ["yes", 0.9, 1, { decision: "yes", confidence: 0.9 }],
  ["no", 0.25, 0, { decision: "no", confidence: 0.75 }],
  ["yes", 0.6, 1, { decision: "yes", confidence: 0.6, unsure: true }],
  ["no", 0.4, 0, { decision: "no", confidence: 0.6, unsure: true }],
  ["yes", 0.5, 1, { confidence: 0.5, unsure: true }],
  ["no", 0.5, 0, { confidence: 0.5, unsure: true }],
  ["yes", 0.61, 1, { confidence: 0.61 }],
])("%s at %d", async (decision, probability, reward, meta) => {
  const verdict = await verdictOf(`<think>hm</think>${JSON.stringify({ reason: "so", decision, probability })}`);
  expect(verdict).toMatchObject({ reward, reason: "so", judge_meta: { model: "openai:m", temperature: 0, ...meta } });
  expect("unsure" in verdict.judge_meta!).toBe("unsure" in meta);
});

test.each<[text: string, failure: string]>([
  ['{"decision":"yes","probability":0.2}', "unreadable"],
  ['{"decision":"no","probability":0.8}', "unreadable"],
  ['{"decision":"yes"}', "no_reward"],
  ['{"probability":0.9}', "no_reward"],
  ['{"decision":"maybe","probability":0.5}', "unreadable"],
  ['{"decision":"yes","probability":"0.9"}', "unreadable"],
  ['{"decision":"yes","probability":90}', "out_of_range"],
  ['{"decision":"no","decision":"yes","probability":0.9}', "unreadable"],
  ["Yes.", "unreadable"],
  ["", "refusal"],
])("%s is no verdict", async (text, failure) => {
  expect(await verdictOf(text)).toMatchObject({ reward: null, judge_meta: { failure, raw: text } });
});

test("another question is another judge, and so is one that sees the key", () => {
  const versionOf = (question: string, usePrivileged = false) =>
    decisionJudge(answering(""), { question, usePrivileged }).version;
  expect(new Set([versionOf(QUESTION), versionOf("Was it polite?"), versionOf(QUESTION, true)]).size).toBe(3);
  expect(decisionJudge(answering(""), { question: QUESTION }).judgeName).toBe("decision:openai:m");
});

test.each([[{}], [{ question: " " }], [{ question: "Is it?", maxTokens: 0 }], [{ question: "Is it?", ask: 1 }]])(
  "%j is refused",
  (options) => {
    expect(() => decisionJudge(answering(""), options as never)).toThrow(
      expect.objectContaining({ code: "bad_option" }),
    );
  },
);

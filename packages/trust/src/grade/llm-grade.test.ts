import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import type { ModelCall } from "../judge/model-call.ts";
import { formatLlmGrade } from "./format-llm-grade.ts";
import { llmGrade } from "./llm-grade.ts";

/** Answers with the row's own reply, which stands in the record. */
const echo: ModelCall = Object.assign(
  async ([, record]: readonly { content: string }[]) => {
    const json = record!.content.split("\n").find((line) => line.startsWith("{"))!;
    return JSON.parse(json).final_text as string;
  },
  { modelName: "openai:m" },
);
const saying = (score: unknown): string => JSON.stringify({ reason: "so", score });

test.each<[answer: string, opinion: number | null]>([
  [saying(0), 0],
  [saying(0.5), 0.5],
  [saying(1), 1],
  [`<think>{"score":0}</think>${saying(1)}`, 1],
  [saying(0.7), null],
  [saying(2), null],
  [saying(-0.1), null],
  [saying("1"), null],
  [saying(true), null],
  [saying(null), null],
  ['{"score":0,"score":1}', null],
  ["1", null],
  ["fine", null],
])("%s is %j", async (final_text, opinion) => {
  const { rows } = await llmGrade([{ prompt: "p", final_text }], echo);
  expect(rows[0]!.llm_reward).toBe(opinion);
});

test("the reward and everything else on the row stay as they are", async () => {
  const rows: Row[] = [
    { prompt: "a", final_text: saying(0), reward: 1, reason: "mine", judge_name: "j", judge_meta: { x: 1 } },
    { prompt: "b", final_text: saying(1), reward: 1, llm_reward: 0, llm_reason: "old" },
    { prompt: "c", final_text: saying(0.5), reward: 0 },
    { prompt: "d", final_text: "?", llm_reward: 1, llm_reason: "old" },
    { prompt: "e", final_text: saying(1) },
  ];
  const before = structuredClone(rows);
  const { rows: out, report } = await llmGrade(rows, echo);
  expect(rows).toEqual(before);
  expect(out).toEqual([
    { ...rows[0], llm_reward: 0, llm_reason: "so" },
    { ...rows[1], llm_reward: 1, llm_reason: "so" },
    { ...rows[2], llm_reward: 0.5, llm_reason: "so" },
    { ...rows[3], llm_reward: null, llm_reason: "" },
    { ...rows[4], llm_reward: 1, llm_reason: "so" },
  ]);
  expect(report).toMatchObject({ nRows: 5, nGraded: 4, nUnjudged: 1, nCompared: 2, nDisagreements: 1 });
  expect(formatLlmGrade(report)).toBe(
    [
      "opinions on 4 of 5 rows by llm:openai:m: 0 on 1, 0.5 on 1, 1 on 2",
      "  against the reward on 1 of 2",
      "  none on 1: unreadable",
    ].join("\n"),
  );
});

test("a model that hangs or throws leaves null, and no rows are no calls", async () => {
  const hangs: ModelCall = () => new Promise(() => {});
  const { rows } = await llmGrade([{ prompt: "p", reward: 1 }], hangs, { timeoutMs: 5 });
  expect(rows).toEqual([{ prompt: "p", reward: 1, llm_reward: null, llm_reason: "" }]);
  const { report } = await llmGrade([], hangs);
  expect(formatLlmGrade(report)).toMatch(/^opinions on 0 of 0 rows by llm\n {2}not compared/);
});

test.each([[{ concurrency: 33 }], [{ maxTokens: 0 }], [{ payloadChars: 0 }], [{ judge: 1 }], [{ timeoutMs: 0 }]])(
  "%j is refused",
  async (options) => {
    await expect(llmGrade([], echo, options as never)).rejects.toMatchObject({ code: "bad_option" });
  },
);

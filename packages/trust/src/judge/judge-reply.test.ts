import { expect, test } from "vitest";
import { parseJudgeReply } from "./judge-reply.ts";

test.each<[reply: string, score: 0 | 1 | null, failure: string | null]>([
  ['{"reason":"fine","score":1}', 1, null],
  ['<think>{"score":0}</think>{"score":1}', 1, null],
  ['{"score":0} I mean</think>{"score":1}', 1, null],
  ['e.g. {"score":0}\n{"reason":"r","score":1}', 1, null],
  ['```json\n{"reason":"r","score":0}\n```', 0, null],
  ['Use {braces} or {not. {"score":1} :-}', 1, null],
  ['{"reason":"it says {\\"score\\":0}","score":1}', 1, null],
  ['{"score":1.0}', 1, null],
  ['{"reward":1}', 1, null],
  ['{"score":1,"reward":1}', 1, null],
  ["1", 1, null],
  ["```\n0\n```", 0, null],
  ['{"reason":"cut","score":1', 1, null],
  ['{"score":0,"reason":"cu', 0, null],
  ['{"score":"1"}', null, "unreadable"],
  ['{"score":true}', null, "unreadable"],
  ['{"score":1.5}', null, "out_of_range"],
  ['{"score":0.4}', null, "out_of_range"],
  ['{"reward":7}', null, "out_of_range"],
  ['{"score":null}', null, "no_reward"],
  ['{"verdict":"pass"}', null, "no_reward"],
  ['{"score":1,"reward":0}', null, "unreadable"],
  ['{"score":1,"score":0}', null, "unreadable"],
  ['{"score":1,"\\u0073core":0}', null, "unreadable"],
  ['{"score":1,"a":{"score":0,"b":[{"score":1}]}}', 1, null],
  ["true", null, "unreadable"],
  ["8/10", null, "unreadable"],
  ["The agent did well.", null, "unreadable"],
  ['{"reward":1,"reason":"cut he', null, "unreadable"],
  ['{"score":0.5', null, "unreadable"],
  ['{"score":1', 1, null],
  ['{"score":1,"score":0', null, "unreadable"],
  ['{"reason":"they wrote \\"score\\": 1, and', null, "unreadable"],
  ['<think>{"score":1}', null, "refusal"],
  ["", null, "refusal"],
  ["  \n", null, "refusal"],
])("%j", (reply, score, failure) => expect(parseJudgeReply(reply)).toMatchObject({ score, failure }));

test("the reason is one line of 400 characters at most", () => {
  expect(parseJudgeReply('{"reason":"a\\n\\t b","score":1}').reason).toBe("a b");
  expect(parseJudgeReply(JSON.stringify({ reason: "é".repeat(1000), score: 1 })).reason).toBe("é".repeat(400));
});

test.each([
  ["prose", `${"words { and } more ".repeat(1e5)}{"score":1}`, 1],
  ["open braces", `${"{".repeat(2e6)}`, null],
  ["nested lists", `${'{"a":['.repeat(3000)}${"]}".repeat(3000)}`, null],
  ["closing braces", `{"score":1}${"}".repeat(2e6)}`, null],
  ["fences", "```\n".repeat(5e5), null],
])("two million characters of %s are read all the same", (_, reply, score) => {
  expect(parseJudgeReply(reply).score).toBe(score);
});

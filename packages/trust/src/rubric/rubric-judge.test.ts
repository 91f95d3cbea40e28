import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import type { JudgeVerdict } from "../judge/judge.ts";
import type { ModelCall, ModelCallOptions, ModelMessage } from "../judge/model-call.ts";
import { runJudge } from "../judge/run-judge.ts";
import { attachRubric, rubric, rubricOf } from "./rubric.ts";
import { rubricJudge } from "./rubric-judge.ts";
import { writeRubrics } from "./write-rubrics.ts";

const RUBRIC = rubric([
  { title: "Calls refund", kind: "hard" },
  { title: "Polite", weight: 2 },
]);

function model(answer: string): ModelCall & { asked: [readonly ModelMessage[], ModelCallOptions?][] } {
  const asked: [readonly ModelMessage[], ModelCallOptions?][] = [];
  return Object.assign(
    async (...question: [readonly ModelMessage[], ModelCallOptions?]) => {
      asked.push(question);
      return answer;
    },
    { modelName: "m", asked },
  );
}

const judged = async (answer: string, row: Row = {}) =>
  (await rubricJudge(model(answer), { rubric: RUBRIC })(row)) as JudgeVerdict;

test.each<[answer: string, reward: number | null]>([
  ['{"criteria":{"1":true,"2":true},"reason":"good"}', 1],
  ['{"criteria":{"1":true,"2":false}}', 0],
  ['{"criteria":{"1":false,"2":true}}', 0],
  ['Sure:\n```json\n{"criteria":{"calls refund":"yes","polite":"met"}}\n```', 1],
  ['{"criteria":[{"title":"Calls refund","met":true},{"title":"Polite","value":true}]}', 1],
  ['{"criteria":{"2":true}}', null],
  ['{"score":1}', null],
  ["I like it.", null],
  ["", null],
])("%j comes to %j", async (answer, reward) => expect((await judged(answer)).reward).toBe(reward));

test("the items are markers, and the facts about tools are told", async () => {
  const ask = model('{"criteria":{"1":true,"2":false},"reason":"curt"}');
  const judge = rubricJudge(ask, { rubric: RUBRIC, tools: ["refund", "mail"] });
  const row: Row = { prompt: "Refund 7.", steps: [{ tool: "refund", result: "ok" }], markers: { old: 1 } };
  const { rows } = await runJudge([row], judge);
  expect(rows[0]).toMatchObject({
    ...{ reward: 0, reason: "curt", markers: { old: 1, "rubric:calls_refund": 1, "rubric:polite": 0 } },
    judge_meta: { missed: ["Polite"], hard_failed: [], n_unanswered: 0, max_tokens: 400, model: "m" },
  });
  const [messages] = ask.asked[0]!;
  expect(messages[1]!.content).toContain('"tools_called":["refund"],"tools_not_called":["mail"]');
  expect(messages[1]!.content).toMatch(/^Rubric:\n1\. \[hard, weight 1\] Calls refund\n2\. /);
});

test("a long rubric gets more tokens", async () => {
  const ask = model("{}");
  const long = rubric(Array.from({ length: 50 }, (_, i) => ({ title: `Item ${i}` })));
  await rubricJudge(ask, { rubric: long })({});
  expect(ask.asked[0]![1]).toMatchObject({ maxTokens: 1000, temperature: 0 });
});

test("without a rubric of its own the judge reads the row's, and a row without one has no reward", async () => {
  const judge = rubricJudge(model('{"criteria":{"1":true,"2":true}}'));
  const scored = await runJudge([...attachRubric([{ prompt: "a" }], RUBRIC), { prompt: "b" }], judge);
  expect(scored.rows.map(({ reward, reason }) => [reward, reason])).toEqual([
    [1, undefined],
    [null, "no rubric on the row"],
  ]);
  expect(scored.unjudgedBy).toMatchObject([{ failure: "no_reward", n: 1 }]);
});

test("the version changes with the prompt and with a fixed rubric", () => {
  const versions = [{}, { rubric: RUBRIC }, { prompt: "Mine." }].map(
    (options) => rubricJudge(model(""), options).version,
  );
  expect(new Set(versions).size).toBe(3);
});

const LIST = JSON.stringify([
  { title: "States the total", description: "Essential: says the total.", weight: 5 },
  { title: "Names the order", description: "Essential: says which order.", weight: 3 },
  { title: "states-the total", description: "Optional: again.", weight: 1 },
  { title: "Invents a date", description: "Pitfall: makes one up.", weight: -2 },
]);

test("writeRubrics asks once a prompt, and attaches what came back", async () => {
  const ask = model(`<think>[hm]</think>Here: ${LIST}`);
  const rows: Row[] = [
    { prompt: "Refund  7", privileged: { reference: "It was $5." } },
    { prompt: "refund 7" },
    ...attachRubric([{ prompt: "other" }], RUBRIC),
  ];
  const { rows: out, report } = await writeRubrics(rows, ask, { maxHard: 1, domain: "shops" });
  expect(ask.asked).toHaveLength(1);
  expect(JSON.parse(ask.asked[0]![0][1]!.content)).toEqual({
    ...{ request: "Refund  7", reference_answer: "It was $5.", domain_guidance: "shops" },
  });
  const written = rubricOf(out[0]!)!;
  expect(written.criteria.map(({ title, kind, weight }) => [title, kind, weight])).toEqual([
    ["States the total", "hard", 5],
    ["Names the order", "principle", 3],
    ["Invents a date", "pitfall", 2],
  ]);
  expect(rubricOf(out[1]!)).toEqual(written);
  expect(rubricOf(out[2]!)).toEqual(RUBRIC);
  expect(report).toMatchObject({
    ...{ prompts: 2, written: 1, skipped: 1, failed: 0, criteriaPerRubric: 3, maxHard: 1, demotedHard: 1, writer: "m" },
  });
  expect([...report.versions.values()]).toEqual([2]);
});

test("a prompt that the writer fails on is named, and the others go on", async () => {
  const ask: ModelCall = async ([, user]) => {
    if (user!.content.includes("down")) throw new RangeError("x");
    return user!.content.includes("prose") ? "No." : LIST;
  };
  const rows = ["down", "prose", "good", ""].map((prompt): Row => ({ prompt }));
  const { rows: out, report } = await writeRubrics(rows, ask, { retries: 0 });
  expect(out.map((row) => rubricOf(row) !== null)).toEqual([false, false, true, false]);
  expect(report).toMatchObject({
    ...{ written: 1, failed: 3 },
    failures: [
      { prompt: "down", error: "RangeError: x" },
      { prompt: "prose", error: 'The writer\'s reply holds no criteria: "No.".' },
      { prompt: "", error: "the rows have no prompt" },
    ],
  });
});

test.each([[{ nCriteria: [3, 1] }], [{ maxHard: -1 }], [{ concurrency: 0 }], [{ criteria: 3 }]])(
  "%j is refused",
  async (options) => {
    await expect(writeRubrics([], model(""), options as never)).rejects.toMatchObject({ code: "bad_option" });
  },
);

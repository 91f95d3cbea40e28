import { type Row, toWire } from "@while/schema";
import { expect, test } from "vitest";
import { decontaminate } from "./decontaminate.ts";
import { decontaminateStream } from "./decontaminate-stream.ts";
import { formatDecontamination } from "./format-decontamination.ts";

const LONG =
  "Explain step by step, so that a child of ten can follow it, and name what you took for granted on the way to it. ";
const AGAINST: Row[] = ["apples", "pears", "stones"].map((what, i) => ({
  task_id: `e${i}`,
  prompt: `${LONG.repeat(2)}How many ${what} are in ${i + 3} baskets?`,
}));
/** Of the first words of a text: what it is about. */
const embedder = (texts: string[]) =>
  texts.map((text) => ["apples", "pears", "stones", "poem"].map((what) => (text.includes(what) ? 1 : 0)));
const ROWS: Row[] = [
  { prompt: "apples, three baskets" },
  { prompt: "pears, a tale of them" },
  { prompt: "a poem" },
  { prompt: "stones, in baskets" },
];

test("a judge keeps what only reads alike, sees whole texts, and its verdict stands on the hit", async () => {
  const seen: [string, string][] = [];
  const judge = async (evalText: string, rowText: string) => {
    seen.push([evalText, rowText]);
    return rowText.includes("baskets");
  };
  const { report, rows } = await decontaminate(ROWS, AGAINST, { embedder, judge });
  expect(rows).toEqual([ROWS[1], ROWS[2]]);
  expect(seen).toEqual([
    [AGAINST[0]!.prompt, ROWS[0]!.prompt],
    [AGAINST[1]!.prompt, ROWS[1]!.prompt],
    [AGAINST[2]!.prompt, ROWS[3]!.prompt],
  ]);
  expect(report).toMatchObject({ nSemantic: 2, nJudge: 0, nContaminated: 2, judge: { nAsked: 3, nSame: 2 } });
  expect(report.examples.map(({ index, rule, judged }) => [index, rule, judged])).toEqual([
    [0, "semantic", true],
    [3, "semantic", true],
  ]);
  expect(report.relatedExamples).toMatchObject([{ index: 1, rule: "semantic", judged: false }]);
  expect(formatDecontamination(report)).toContain("row 1 prompt semantic 1.00, another question by the judge ~ e1");
  expect(() => toWire(report)).not.toThrow();
});

test("what was only listed is dropped when the judge calls it an evaluation question", async () => {
  const against = [{ task_id: "e", prompt: "please cancel the order 9911" }];
  const rows = [{ prompt: "please cancel the order 9912" }, { prompt: "please stop the order 9911" }];
  const judge = (_: string, rowText: string) => rowText.includes("9911");
  const { report, rows: kept } = await decontaminate(rows, against, { judge });
  expect(kept).toEqual([rows[0]]);
  expect(report).toMatchObject({ nJudge: 1, nContaminated: 1, hitTasks: ["e"], judge: { nAsked: 2, nSame: 1 } });
  expect(report.examples).toMatchObject([{ index: 1, rule: "judge", judged: true, evalTask: "e" }]);
  expect(report.relatedExamples).toMatchObject([{ index: 0, rule: "short", judged: false }]);
  expect(report.notes).toContain(
    "The judge was asked of 2 rows and calls 1 an evaluation question; 1 of these had only been listed and was dropped.",
  );
  const streamed = decontaminateStream(rows, against, { judge });
  for await (const _ of streamed);
  expect(streamed.report()).toEqual(report);
});

test("a call that fails and rows beyond the budget stay as they were, and are counted", async () => {
  const judge = (evalText: string) => {
    if (evalText.includes("apples")) throw new Error("no connection");
    return evalText.includes("pears") ? ("yes" as never) : false;
  };
  const failing = (await decontaminate(ROWS, AGAINST, { embedder, judge })).report;
  expect(failing).toMatchObject({ nSemantic: 2, judge: { nAsked: 3, nSame: 0, nFailed: 2, nNotAsked: 0 } });
  const short = await decontaminate(ROWS, AGAINST, { embedder, judge: () => false, judgeBudget: 1 });
  expect(short.report).toMatchObject({ nSemantic: 2, judge: { nAsked: 1, nNotAsked: 2 } });
  expect(short.rows).toEqual([ROWS[0], ROWS[2]]);
});

test.each<[string, () => unknown]>([
  ["a word", () => "yes"],
  ["a number", () => 1],
  ["nothing", () => undefined],
  ["null", () => null],
  ["a verdict in an object", () => ({ same: true })],
  [
    "an error",
    () => {
      throw new Error("down");
    },
  ],
  [
    "a rejection",
    async () => {
      throw new Error("down");
    },
  ],
  ["a promise of a word", async () => "true"],
])(
  "a judge that answers with %s has not answered: no row is dropped for it, and none is kept for it",
  async (_, judge) => {
    const against = [...AGAINST, { task_id: "short", prompt: "please cancel the order 9911" }];
    const rows = [ROWS[0]!, { prompt: "please cancel the order 9912" }];
    const { report } = await decontaminate(rows, against, { embedder, judge: judge as never });
    expect(report).toMatchObject({ nSemantic: 1, nShort: 1, nJudge: 0, judge: { nAsked: 2, nSame: 0, nFailed: 2 } });
    expect([report.examples[0]?.judged, report.relatedExamples[0]?.judged]).toEqual([null, null]);
  },
);

test("no more calls are under way than asked for, and the report does not depend on it", async () => {
  let [running, most] = [0, 0];
  const judge = async (evalText: string) => {
    most = Math.max(most, ++running);
    await new Promise((done) => setImmediate(done));
    running--;
    return evalText.includes("pears");
  };
  const wide = (await decontaminate(ROWS, AGAINST, { embedder, judge, judgeConcurrency: 3 })).report;
  expect(most).toBe(3);
  expect((await decontaminate(ROWS, AGAINST, { embedder, judge, judgeConcurrency: 1 })).report).toEqual(wide);
});

test.each([
  [{ judge: "yes" }, "judge is a string."],
  [{ judgeConcurrency: 0 }, "judgeConcurrency is 0."],
  [{ judgeBudget: 1.5 }, "judgeBudget is 1.5."],
])("refuses %j", async (options, said) => {
  await expect(decontaminate([], AGAINST, options as never)).rejects.toThrow(said);
});

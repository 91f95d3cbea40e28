import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import type { Judge } from "../judge/judge.ts";
import { compareJudges } from "./compare-judges.ts";
import { formatJudges } from "./format-judges.ts";

const ROWS: Row[] = Array.from({ length: 100 }, (_, i) => {
  const label = i % 2 === 0 ? 1 : 0;
  return {
    task_id: `t${i}`,
    at: i,
    gold_reward: label,
    gold_labels: [{ label, annotator: "ann", kind: "human" }],
    gold_kind: "human",
  };
});

/** Right but on every nth row. */
const wrongEvery =
  (n: number): Judge =>
  ({ at, gold_reward }) =>
    (at as number) % n === 0 ? gold_reward !== 1 : gold_reward === 1;
const coin: Judge = ({ at }) => (at as number) % 4 < 2;
/** Right wherever it says something, and silent on a third. */
const shy: Judge = ({ at, gold_reward }) => ((at as number) % 3 === 0 ? { reward: null } : gold_reward === 1);

test("the best first, what no test tells apart is a tie, and silence counts against a judge", async () => {
  const { report, rows } = await compareJudges(ROWS, { coin, shy, good: wrongEvery(14), same: wrongEvery(17) });
  expect(report.judges.map(({ name, ok, tiedWithFirst }) => [name, ok, tiedWithFirst])).toEqual([
    ["same", true, false],
    ["good", true, true],
    ["shy", false, false],
    ["coin", false, false],
  ]);
  expect(report).toMatchObject({ best: "same", nRows: 100, nGold: 100, goldKind: "human" });
  const [, , ofShy] = report.judges;
  expect(ofShy).toMatchObject({ agreement: 1, nUnjudged: 34, agreementOfAll: 0.66 });
  expect(report.pairs).toHaveLength(6);
  expect(rows.get("coin")![0]).toMatchObject({ judge_name: "coin", reward: 1 });
  expect(ROWS[0]).not.toHaveProperty("judge_name");
  const [first, head, line] = formatJudges(report).split("\n");
  expect(first).toBe("best judge: same, on 100 labels (human); no difference shown between same and good");
  expect(head).toMatch(/^ {2}judge {2}labels {2}agreement/);
  expect(line).toMatch(/^ {2}same {3}100 .* holds$/);
});

test("a list is named by what the judges say of themselves", async () => {
  const named = Object.assign(wrongEvery(9), { judgeName: "mine" });
  const { report } = await compareJudges(ROWS, [named, coin, named]);
  expect(report.judges.map(({ name }) => name).sort()).toEqual(["coin", "mine", "mine#2"]);
});

test("tokens are added up where a model counted them", async () => {
  const counting: Judge = () => ({ reward: 1, judge_meta: { input_tokens: 10, output_tokens: 2 } });
  const { report } = await compareJudges(ROWS, { counting, coin });
  const of = (name: string) => report.judges.find((judge) => judge.name === name)!;
  expect([of("counting").inputTokens, of("counting").outputTokens, of("coin").inputTokens]).toEqual([1000, 200, null]);
});

test.each<[rows: Row[], judges: object, code: string]>([
  [[], { coin }, "no_rows"],
  [[{ task_id: "a" }], { coin }, "no_rows"],
  [ROWS, {}, "no_judge"],
  [ROWS, { coin: "gpt-4" }, "no_judge"],
])("without rows, labels or judges it refuses", async (rows, judges, code) => {
  await expect(compareJudges(rows, judges as never)).rejects.toMatchObject({ code });
});

test("four rollouts that share their verdicts are one draw: what rows tell apart, tasks may not", async () => {
  const eight: Judge = ({ at, gold_reward }) => ((at as number) % 12 === 0 ? gold_reward !== 1 : gold_reward === 1);
  const once = await compareJudges(ROWS, {
    right: ({ gold_reward }) => gold_reward === 1,
    eight,
    five: wrongEvery(20),
  });
  const copies = ROWS.flatMap((row) => [0, 1, 2, 3].map((k) => ({ ...row, rollout_id: `${row.task_id}#${k}` })));
  const four = await compareJudges(copies, {
    right: ({ gold_reward }) => gold_reward === 1,
    eight,
    five: wrongEvery(20),
  });
  const of = ({ report }: typeof once) => report.pairs.find(({ a, b }) => a === "right" && b === "five")!;
  expect(of(once)).toMatchObject({ pOverTasks: null, pValue: 2 ** -4, onlyARight: 5 });
  expect(of(four)).toMatchObject({ onlyARight: 20, pValue: 2 ** -19 });
  expect(of(four).pOverTasks).toBeCloseTo(2 ** -4, 12);
  expect(of(four).pAdjusted).toBeCloseTo(of(once).pAdjusted, 12);
  const tied = (one: typeof once) => one.report.judges.map(({ name, tiedWithFirst }) => [name, tiedWithFirst]);
  expect(tied(four)).toEqual(tied(once));
});

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
  const still = { ...report, judges: report.judges.map((judge) => ({ ...judge, secondsPerRow: 0 })) };
  const [first, head, line] = formatJudges(still).split("\n");
  expect(first).toBe("best judge: same, on 100 labels (human); no difference shown between same and good");
  expect(head).toBe("  judge  n    agrees  95%           kappa  leak   miss   none  holds");
  expect(line).toMatch(/^ {2}same {3}100 {2}94\.0%.* 0 {5}yes$/);
});

const recorded =
  (verdicts: readonly (0 | 1 | null)[]): Judge =>
  ({ at }) => ({ reward: verdicts[(at as number) % verdicts.length]! });

test("three judges that err on the same rows are one, and their vote says what each of them does", async () => {
  const same = { a: wrongEvery(10), b: wrongEvery(10), c: wrongEvery(10) };
  const { report } = await compareJudges(ROWS, same);
  expect(report.panel!.effective).toMatchObject({ nRaters: 3, nUnits: 100, note: null });
  expect(report.panel!.effective.nEffective).toBeCloseTo(1, 12);
  expect(report.panel).toMatchObject({ alpha: 1, vote: { agreement: 0.9, nTies: 0, pAgainstFirst: 1 } });
  expect(formatJudges(report)).toContain("\n  together worth 1.00 [1.00..1.00] independent judges of 3 on 100 rows");
});

test("three judges that err on other rows correct each other", async () => {
  const wrongOn =
    (rest: number): Judge =>
    ({ at, gold_reward }) =>
      (at as number) % 4 === rest ? gold_reward !== 1 : gold_reward === 1;
  const { report } = await compareJudges(ROWS, { a: wrongOn(0), b: wrongOn(1), c: wrongOn(2) });
  expect(report.panel!.effective.nEffective).toBe(3);
  expect(report.panel!.vote).toMatchObject({ n: 100, agreement: 1, kappa: 1, leak: 0, miss: 0 });
  expect(report.panel!.vote!.pAgainstFirst).toBeLessThan(1e-6);
  expect(formatJudges(report)).toMatch(/\n {2}by vote: agreement 100\.0% .*, told from [abc] \(p < 0\.001\)$/);
});

test("two judges have no majority, one is no panel, and silence leaves others to vote", async () => {
  const { report: two } = await compareJudges(ROWS, { coin, good: wrongEvery(14) });
  expect(two.panel).toMatchObject({ vote: null, effective: { nRaters: 2 } });
  const { report: one } = await compareJudges(ROWS, { coin });
  expect(one.panel).toBeNull();
  const { report } = await compareJudges(ROWS, { yes: recorded([1]), no: recorded([0]), shy: recorded([null, 0]) });
  // Every other row has one vote on either side.
  expect(report.panel!.vote).toMatchObject({ n: 50, nTies: 50, agreementOfAll: 0.5 });
  const { report: right } = await compareJudges(ROWS, { a: recorded([1, 0]), b: recorded([1, 0]) });
  expect(right.panel!.effective).toMatchObject({ nEffective: null, note: "no_errors" });
  expect(formatJudges(right)).toMatch(
    /\n {2}together: none of them errs on these rows; alpha of their verdicts 1\.00$/,
  );
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

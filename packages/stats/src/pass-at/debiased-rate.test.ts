import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { scoreInterval } from "../interval/wilson-interval.ts";
import { ppiMean } from "../measurement-error/ppi-mean.ts";
import { type DebiasedRate, debiasedRate, type JudgedTask } from "./debiased-rate.ts";
import { formatPassAt } from "./format-pass-at.ts";
import { passAt } from "./pass-at.ts";

const many = (count: number, task: JudgedTask): JudgedTask[] => Array.from({ length: count }, () => task);
const labeled = (gold: number, judge: number): JudgedTask => ({ judge, labeled: { gold, judge } });
const bare = (judge: number): JudgedTask => ({ judge, labeled: null });

// One row a task, 40 labeled: people pass 22, the judge 20 of those and 5 of the other 18; it passes 260 of 400 more.
const ONE_ROW = [
  ...[...many(20, labeled(1, 1)), ...many(2, labeled(1, 0)), ...many(5, labeled(0, 1)), ...many(13, labeled(0, 0))],
  ...[...many(260, bare(1)), ...many(140, bare(0))],
];

test("on one row a task it is ppiMean, but for leaning on all tasks instead of the unlabeled ones", () => {
  const list = (ones: number, zeros: number) => [...Array<number>(ones).fill(1), ...Array<number>(zeros).fill(0)];
  const ppi = ppiMean({
    gold: list(22, 18),
    judgeOnGold: [...list(20, 2), ...list(5, 13)],
    judgeUnlabeled: list(260, 140),
  })!;
  const { estimate, ci95 } = debiasedRate(ONE_ROW)!;
  expect(Math.abs(estimate - ppi.estimate)).toBeLessThan(0.002);
  // Wilson's interval of as many coins as know the rate as well, with Student's quantile at 38 degrees of freedom.
  const coins = (ppi.estimate * (1 - ppi.estimate)) / ppi.se ** 2;
  const score = scoreInterval(ppi.estimate, coins, 2.0244);
  for (const end of [0, 1] as const) expect(Math.abs(ci95![end] - score[end])).toBeLessThan(0.005);
});

test.each<[string, JudgedTask[], Pick<DebiasedRate, "estimate" | "ci95"> | null]>([
  ["no label: nothing to correct by", [bare(1), bare(0)], null],
  ["under three labeled tasks there is no interval", [labeled(1, 1), labeled(0, 1)], { estimate: 0.5, ci95: null }],
  // Wilson's interval of 4 of 4.
  [
    "gold and judge agree on all: no width is not certainty",
    many(4, labeled(1, 1)),
    { estimate: 1, ci95: [expect.closeTo(0.5101, 4), 1] },
  ],
])("%s", (_, tasks, expected) => {
  const rate = debiasedRate(tasks);
  expect(rate === null ? null : { estimate: rate.estimate, ci95: rate.ci95 }).toEqual(expected);
});

test("every task labeled: the labels alone", () => {
  const tasks = [...many(3, labeled(1, 1)), ...many(2, labeled(0, 1))];
  expect(debiasedRate(tasks)!.estimate).toBeCloseTo(0.6, 12);
});

const row = (task: number, reward: number, gold: Partial<Row> = {}): Row => ({
  task_id: String(task),
  reward,
  ...gold,
});

test("passAt corrects by labels of people and programs, and by no others", () => {
  const rows = [
    ...Array.from({ length: 4 }, (_, i) => row(i, 1, { gold_reward: i < 2 ? 1 : 0, gold_kind: "human" })),
    ...Array.from({ length: 4 }, (_, i) => row(10 + i, 1, { gold_reward: 0, gold_kind: "model" })),
    row(20, 1, { gold_reward: 1 }),
    row(21, 0),
  ];
  const report = passAt(rows);
  expect(report).toMatchObject({ passAt1: 0.9, nGold: 4 });
  expect(report.debiasedPassAt1).toBeCloseTo(0.5, 12);
  expect(formatPassAt(report).split("\n")[1]).toMatch(
    /^ {2}by gold: pass@1 0\.50 \[0\.\d\d\.\.\d\.\d\d\], the judge corrected by 4 labels$/,
  );
  expect(passAt([row(0, 1), row(1, 0)])).toMatchObject({ debiasedPassAt1: null, debiasedCi95: null, nGold: 0 });
});

test("rows of one task count as one: ten labels of a task are no ten draws", () => {
  const tasks = (perTask: number) =>
    Array.from({ length: 6 * perTask }, (_, i) =>
      row(i % 6, 1, { gold_reward: i % 6 < 3 ? 1 : 0, gold_kind: "program" }),
    );
  expect(passAt(tasks(10)).debiasedCi95).toEqual(passAt(tasks(1)).debiasedCi95);
});

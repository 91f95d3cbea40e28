import { type Row, toWire } from "@while/schema";
import { expect, test } from "vitest";
import { MersenneTwister } from "../rng/mersenne-twister.ts";
import { bettingConfidenceSequence } from "./betting-confidence-sequence.ts";
import { compareSequentially } from "./compare-sequentially.ts";
import { formatSequentialComparison } from "./format-sequential-comparison.ts";

const order = (n: number, seed = 1) => new MersenneTwister(seed).shuffle(Array.from({ length: n }, (_, i) => i));
/** k rollouts of each task in this order. */
const run = (tasks: readonly number[], of: (task: number) => readonly number[]): Row[] =>
  tasks.flatMap((task) => of(task).map((reward): Row => ({ task_id: `t${task}`, reward })));

const A = run(order(80), (task) => [task % 2, 0]);
const B = run(order(80), (task) => [1, task % 3 === 0 ? 0 : 1]);

test("a better run is told before it ends, and stays told", () => {
  const half = compareSequentially(A, B.slice(0, 80));
  expect(half).toMatchObject({ verdict: "b_better", nTasks: 40, nOnlyA: 40, nOnlyB: 0 });
  expect(half.decidedAt).toBeLessThan(40);
  const whole = compareSequentially(A, B);
  expect(whole).toMatchObject({ verdict: "b_better", nTasks: 80, nOnlyA: 0, decidedAt: half.decidedAt });
  expect(whole.ci[0]).toBeGreaterThanOrEqual(half.ci[0]);
  expect(compareSequentially(B, A)).toMatchObject({ verdict: "a_better", decidedAt: half.decidedAt });
});

test("it is the betting sequence over the tasks in the order of the second run", () => {
  const diffs = order(80).map((task) => (1 + (task % 3 === 0 ? 0 : 1)) / 2 - (task % 2) / 2);
  const bets = bettingConfidenceSequence(diffs, { low: -1, high: 1, nullMean: 0 });
  expect(compareSequentially([...A].reverse(), B)).toMatchObject({ ci: bets.ci, eValue: bets.eValue });
});

test("equal runs are looked at after every task, and told apart in fewer than 5 of 100", () => {
  const rng = new MersenneTwister(3);
  let alarms = 0;
  for (let trial = 0; trial < 200; trial++) {
    const side = () =>
      run(order(120, trial), (task) => [0, 1].map(() => (rng.random() < 0.2 + (task % 6) / 10 ? 1 : 0)));
    if (compareSequentially(side(), side()).decidedAt !== null) alarms++;
  }
  expect(alarms / 200).toBeLessThan(0.05);
});

test.each<[string, number[]]>([
  ["by the number at their end", Array.from({ length: 12 }, (_, i) => i)],
  ["downwards", Array.from({ length: 12 }, (_, i) => 20 - i)],
  ["by code points", [1, 10, 11, 12, 2, 3, 4, 5, 6]],
])("tasks in order %s are refused", (_, tasks) => {
  expect(() =>
    compareSequentially(
      A,
      run(tasks, () => [1]),
    ),
  ).toThrow(/in the order of their names/);
});

test("seven tasks may be in order by chance", () => {
  expect(
    compareSequentially(
      A,
      run([0, 1, 2, 3, 4, 5, 6], () => [1]),
    ).nTasks,
  ).toBe(7);
});

test("a metric without bounds cannot be bet on", () => {
  const marked = (value: number) => A.map((row): Row => ({ ...row, markers: { tokens: value } }));
  expect(() => compareSequentially(marked(120), marked(90), { metric: "marker:tokens" })).toThrow(/outside 0 to 1/);
});

test("the text says whether to go on", () => {
  const few = compareSequentially(A, B.slice(0, 8));
  expect(formatSequentialComparison(few)).toBe(
    [
      "go on: no difference so far: pass_at_1 +0.750, between [-0.569..+1.000] however often you look (95%), p 0.569",
      "  4 tasks of both runs, 76 of a alone, 0 of b alone; tasks have to be run in random order",
    ].join("\n"),
  );
  expect(formatSequentialComparison(compareSequentially(A, B))).toMatch(
    /^stop: b is better: pass_at_1 \+0\.\d{3}, between \[\+0\.\d{3}\.\.\+0\.\d{3}\] however often you look \(95%\), p < 0\.001, decided after \d+ tasks\n/,
  );
  expect(formatSequentialComparison(compareSequentially(A, []))).toBe(
    "go on: no difference so far: pass_at_1 is measured on no task of both runs",
  );
  expect(toWire(few)).toHaveProperty("decided_at", null);
});

import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { mcnemarExact } from "../proportions/mcnemar-exact.ts";
import { compareRuns } from "./compare-runs.ts";
import { sameTasks } from "./same-tasks.ts";

/** Passes of n rollouts, task by task. */
const run = (passes: readonly number[], n: number, extra: Partial<Row> = {}): Row[] =>
  passes.flatMap((c, task) =>
    Array.from({ length: n }, (_, i): Row => ({ task_id: `t${task}`, reward: i < c ? 1 : 0, ...extra })),
  );

test("one rollout a task is McNemar's test", () => {
  const before = [1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0];
  const after = [0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0];
  const { pExact, pMid } = mcnemarExact(2, 9);
  const { sameTasks: same } = compareRuns(run(before, 1), run(after, 1));
  expect(same).toMatchObject({ method: "exact", nInformative: 11 });
  expect(same!.pValue).toBeCloseTo(pExact, 12);
  expect(same!.midP).toBeCloseTo(pMid, 12);
});

// An exact conditional test by enumeration of the five hypergeometric tables
test("four rollouts a task: exact given what each task passed in both runs", () => {
  const { sameTasks: same, midP } = compareRuns(run([1, 0, 2, 4, 1], 4), run([3, 2, 3, 4, 2], 4));
  expect(same!.pValue).toBeCloseTo(0.07613494377342774, 12);
  expect(same!.midP).toBeCloseTo(0.0440545605997501, 12);
  expect(same!.nInformative).toBe(4);
  // The same five tasks say less of new ones.
  expect(midP).toBeGreaterThan(same!.midP!);
});

// statsmodels 0.15 StratifiedTable(tables).test_null_odds(correction=False)
test("of many rollouts by the normal law", () => {
  const tasks = Array.from({ length: 1200 }, (_, i) => {
    const before = (i * 7) % 9;
    const after = Math.min(8, ((i * 5 + Math.floor(i / 3)) % 9) + (i % 4 === 0 ? 1 : 0));
    return [
      { passes: before, n: 8 },
      { passes: after, n: 8 },
    ] as const;
  });
  const same = sameTasks(tasks)!;
  expect(same).toMatchObject({ method: "normal", midP: null, nInformative: NORMAL.nInformative });
  expect(same.pValue / NORMAL.pValue).toBeCloseTo(1, 8);
});

const NORMAL = { pValue: 1.0224171871242582e-5, nInformative: 1122 };

test("runs that agree on every task have p 1, and only shared tasks are asked", () => {
  const same = compareRuns(run([4, 0, 4, 0, 4, 4], 4), run([4, 0, 4, 0, 4], 4)).sameTasks;
  expect(same).toEqual({ pValue: 1, midP: 1, method: "exact", nInformative: 0 });
  expect(sameTasks([])).toBeNull();
});

test("it is of pass_at_1, paired and strict", () => {
  const [a, b] = [
    run([1, 0, 2, 4, 1], 4, { markers: { brief: 1 } }),
    run([3, 2, 3, 4, 2], 4, { markers: { brief: 0 } }),
  ];
  expect(compareRuns(a, b, { metric: "marker:brief" }).sameTasks).toBeNull();
  expect(compareRuns(a, b, { inference: "compat" }).sameTasks).toBeNull();
  expect(compareRuns(a, b, { minPaired: 6 }).sameTasks).toBeNull();
});

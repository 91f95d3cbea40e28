import { type Row, rowKey, toWire } from "@while/schema";
import { MersenneTwister } from "@while/stats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeTrust } from "../trust/judge-trust.ts";
import { formatLabelQueue } from "./format-label-queue.ts";
import { labelBudget } from "./label-budget.ts";
import { labelQueue } from "./label-queue.ts";
import { aimOf, fewestLabels } from "./label-search.ts";

interface World {
  tasks?: number;
  k?: number;
  /** Of the tasks, what the judge passes; and what it is right in. */
  passes?: number;
  right?: [ofPasses: number, ofFails: number];
  labeled?: number;
  seed?: string;
}

/** Rows that a judge decided; gold is in `truth`, and attached to the first `labeled`. */
function world({ tasks = 600, k = 1, passes = 0.8, right = [0.97, 0.9], labeled = 0, seed = "w" }: World = {}): Row[] {
  const random = new MersenneTwister(seed);
  return Array.from({ length: tasks * k }, (_, i): Row => {
    const reward = random.random() < passes ? 1 : 0;
    const isRight = random.random() < right[reward === 1 ? 0 : 1];
    const row: Row = {
      ...{ scenario_id: `t${Math.floor(i / k)}`, rollout_index: i % k, final_text: `reply ${i}`, reward },
      truth: isRight ? reward : 1 - reward,
    };
    return i < labeled ? answered(row) : row;
  });
}

function answered(row: Row): Row {
  return { ...row, gold_reward: row.truth as number, gold_kind: "human" };
}

/** What people do with a queue: they label its rows. */
function answeredQueue(rows: readonly Row[], keys: readonly string[]): Row[] {
  const wanted = new Set(keys);
  return rows.map((row) => (wanted.has(rowKey(row)) ? answered(row) : row));
}

describe("fewestLabels", () => {
  const floors = { minAgreement: 0.8, minKappa: -1, minClassRate: 0.001, minPerClass: 0 };
  const plenty = {
    have: { ofPasses: 0, ofFails: 0 },
    most: { ofPasses: 1000, ofFails: 1000 },
    limit: 1000,
    power: 0.8,
  };

  test.each([0.86, 0.9, 0.95])(
    "a judge of one verdict that agrees in %d: as labelBudget by exact binomial, within a fifth",
    (right) => {
      const all = { passes: 1 - 1e-6, rightOfPasses: right, rightOfFails: right };
      const { ofPasses, decides } = fewestLabels(all, { ...floors, minClassRate: 0 }, plenty);
      expect(decides).toBe(true);
      expect(ofPasses / labelBudget({ agreement: right }).n!).toBeGreaterThan(0.9);
      expect(ofPasses / labelBudget({ agreement: right }).n!).toBeLessThan(1.2);
    },
  );

  test("two verdicts that are alike get as many labels each, and one that is less sure gets more", () => {
    const alike = fewestLabels({ passes: 0.5, rightOfPasses: 0.9, rightOfFails: 0.9 }, floors, plenty);
    expect(Math.abs(alike.ofPasses - alike.ofFails)).toBeLessThanOrEqual(1);
    const unlike = fewestLabels({ passes: 0.5, rightOfPasses: 0.75, rightOfFails: 0.95 }, floors, plenty);
    expect(unlike.ofPasses / (unlike.ofPasses + unlike.ofFails)).toBeGreaterThan(0.55);
  });

  test("right on fails hangs on what is passed wrongly: where that is rare, labels go to what the judge passes", () => {
    const shares = { passes: 0.9, rightOfPasses: 0.98, rightOfFails: 0.96 };
    const own = fewestLabels(shares, { ...floors, minClassRate: 0.7, minPerClass: 10 }, plenty);
    expect(own.decides).toBe(true);
    expect(own.ofPasses).toBeGreaterThan(10 * own.ofFails);
    expect(own.ofFails * 0.96).toBeGreaterThan(10);
  });

  test("a judge under a floor is failed by labels, in about the number that passes one as far over it", () => {
    const under = { passes: 0.5, rightOfPasses: 0.7, rightOfFails: 0.7 };
    expect(aimOf(under, floors)).toBe("fail");
    const own = fewestLabels(under, floors, plenty);
    expect(own.decides).toBe(true);
    expect(own.ofPasses + own.ofFails).toBeGreaterThan(100);
    expect(own.ofPasses + own.ofFails).toBeLessThan(200);
  });

  test("labels that are there count, and rows that are not cannot be asked for", () => {
    const shares = { passes: 0.5, rightOfPasses: 0.9, rightOfFails: 0.9 };
    const fresh = fewestLabels(shares, floors, plenty);
    const more = fewestLabels(shares, floors, { ...plenty, have: { ofPasses: 30, ofFails: 30 } });
    expect(more.ofPasses + more.ofFails).toBe(fresh.ofPasses + fresh.ofFails - 60);
    const few = fewestLabels(shares, floors, { ...plenty, most: { ofPasses: 3, ofFails: 4 } });
    expect(few).toEqual({ ofPasses: 3, ofFails: 4, decides: false });
  });

  test("a judge nearer to its floor never needs fewer labels, and all that are asked for are there", () => {
    const share = fc.double({ min: 0.83, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(share, share, fc.double({ min: 0.1, max: 0.9, noNaN: true }), (a, b, passes) => {
        const [near, far] = [Math.min(a, b), Math.max(a, b)].map((right) => {
          const own = fewestLabels({ passes, rightOfPasses: right, rightOfFails: right }, floors, plenty);
          return own.ofPasses + own.ofFails;
        });
        expect(near).toBeGreaterThanOrEqual(far!);
      }),
      { numRuns: 10 },
    );
  });
});

test.each([
  { tasks: 600, passes: 0.6, right: [0.95, 0.95] as [number, number], status: "pass" },
  { tasks: 900, passes: 0.5, right: [0.7, 0.7] as [number, number], status: "fail" },
])("the labels that were asked for decide: $right is $status", async ({ status, ...own }) => {
  let decided = 0;
  for (let i = 0; i < 20; i++) {
    const rows = world({ ...own, labeled: 30, seed: `w${i}` });
    const keys = labelQueue(rows, { rule: "strict", seed: i }).rows.map(({ rowKey: key }) => key);
    const { status: found } = await judgeTrust(answeredQueue(rows, keys), null, { rule: "strict" });
    if (found === status) decided++;
  }
  expect(decided).toBeGreaterThanOrEqual(16);
});

test("the queue tells no verdict, names rows that have none yet, and the same seed is the same queue", () => {
  const rows = world({ labeled: 40 });
  const queue = labelQueue(rows, { rule: "strict" });
  const unlabeled = new Set(rows.slice(40).map(rowKey));
  expect(queue.rows.every(({ rowKey: key }) => unlabeled.has(key))).toBe(true);
  expect(new Set(queue.rows.map(({ rowKey: key }) => key)).size).toBe(queue.n);
  expect(Object.keys(queue.rows[0]!)).toEqual(["rowKey", "task"]);
  expect(labelQueue(rows, { rule: "strict" })).toEqual(queue);
  expect(labelQueue(rows, { rule: "strict", seed: 1 }).rows).not.toEqual(queue.rows);
  expect(queue.strata.reduce((sum, { nNext }) => sum + nNext, 0)).toBe(queue.n);
  expect(toWire(queue)).toHaveProperty("strata");
});

test("one rollout a task first, and tasks without a label before those that have one", () => {
  const rows = world({ tasks: 60, k: 4, labeled: 40, passes: 0.5 });
  const { rows: queued } = labelQueue(rows, { rule: "strict", n: 40 });
  const tasks = queued.map(({ task }) => task);
  expect(new Set(tasks).size).toBe(40);
  const labeled = new Set(rows.slice(0, 40).map(({ scenario_id }) => scenario_id));
  expect(tasks.some((task) => labeled.has(task))).toBe(false);
});

test("rows that the judge is unsure of are asked for more often than they are there", () => {
  const rows = world({ tasks: 800, labeled: 400, passes: 0.5, right: [0.97, 0.97] }).map((row, i): Row => {
    if (i % 10 !== 0) return row;
    const own = { ...row, judge_meta: { unsure: true } };
    return i < 400 ? { ...own, gold_reward: i % 20 === 0 ? 1 : 0 } : own;
  });
  const { strata } = labelQueue(rows, { rule: "strict", n: 100 });
  for (const verdict of [1, 0] as const) {
    const [sure, unsure] = strata.filter((stratum) => stratum.verdict === verdict);
    expect([sure!.unsure, unsure!.unsure]).toEqual([false, true]);
    expect(unsure!.nNext / (sure!.nNext + unsure!.nNext)).toBeGreaterThan(0.11);
  }
});

test("by the floors, which read plain shares, the draw is over all rows alike", () => {
  const { strata, n } = labelQueue(world({ passes: 0.8 }));
  const [passes, fails] = strata;
  expect(n).toBe(112);
  expect(passes!.nNext / n).toBeCloseTo(passes!.nRows / (passes!.nRows + fails!.nRows), 1);
});

test.each([
  ["no verdict", [{ prompt: "a" }], "no_verdicts", "label next: no row has a verdict of 0 or 1, score the rows first"],
  [
    "all labeled",
    world({ tasks: 12, labeled: 12 }),
    "all_labeled",
    "label next: nothing is left, every row with a verdict has its label",
  ],
  [
    "decided already",
    world({ tasks: 700, labeled: 600, passes: 0.6, right: [0.99, 0.95] }),
    "decided",
    "label next: nothing, these labels bear the judge out (strict rule)",
  ],
] as const)("%s: nothing to label, and why", (_, rows, note, text) => {
  const queue = labelQueue(rows as Row[], { rule: "strict" });
  expect(queue).toMatchObject({ n: 0, rows: [], note });
  expect(formatLabelQueue(queue)).toBe(text);
});

test("too few rows are asked for all of them; a judge at its floor is said to be", () => {
  const few = labelQueue(world({ tasks: 30 }), { rule: "strict" });
  expect(few).toMatchObject({ n: 30, note: "too_few_rows" });
  const near = world({ tasks: 3000, labeled: 300, passes: 0.4, right: [0.99, 0.72] });
  const queue = labelQueue(near, { rule: "strict" });
  expect(queue).toMatchObject({ n: 200, note: "near_floor", status: "inconclusive" });
  expect(formatLabelQueue(queue)).toContain("the judge is too near to a floor");
});

test("the text of a queue", () => {
  expect(formatLabelQueue(labelQueue(world(), { rule: "strict", assumed: 0.95 }))).toBe(
    [
      "label next: 331 rows of 331 tasks (strict rule): a chance of 80% to show that the judge holds, if these shares are its own",
      "  293 of those that the judge passes: 0 of 482 labeled, taken to be right on 0.95",
      "  38 of those that the judge fails: 0 of 118 labeled, taken to be right on 0.95",
    ].join("\n"),
  );
});

test.each([
  [{ n: 0 }],
  [{ n: 1.5 }],
  [{ assumed: 1 }],
  [{ power: 0 }],
  [{ rule: "other" as never }],
  [{ m: 3 } as never],
])("%j is refused", (options) => {
  expect(() => labelQueue(world(), options)).toThrow(expect.objectContaining({ code: "bad_option" }));
});

import type { Row } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CompareOptions, compareRuns } from "./compare-runs.ts";
import { formatCompareRuns } from "./format-compare-runs.ts";

/** A rollout a reward; a task's name is its key. */
function run(tasks: Readonly<Record<string, readonly number[]>>): Row[] {
  return Object.entries(tasks).flatMap(([task_id, rewards]) => rewards.map((reward): Row => ({ task_id, reward })));
}

const numbered = (n: number, rewards: (i: number) => readonly number[]) =>
  run(Object.fromEntries(Array.from({ length: n }, (_, i) => [`t${i}`, rewards(i)])));

/** Two runs over up to twelve tasks of which each side may lack some. */
const anyRun = fc
  .dictionary(
    fc.constantFrom(..."abcdefghijkl", "__proto__", "10"),
    fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 5 }),
    { maxKeys: 12 },
  )
  .map(run);
const anyOptions = fc.record({
  inference: fc.constantFrom("strict" as const, "compat" as const),
  nBoot: fc.constant(200),
  seed: fc.nat(3),
  level: fc.constantFrom(0.8, 0.95, 0.99),
});

const MIRRORED = { a_better: "b_better", b_better: "a_better" } as Record<string, string>;

test("swapping the runs negates the difference and keeps its p-value", () => {
  fc.assert(
    fc.property(anyRun, anyRun, (a, b) => {
      const one = compareRuns(a, b);
      const other = compareRuns(b, a);
      expect(other.delta ?? 0).toBeCloseTo(-(one.delta ?? 0), 12);
      expect(other.pValue ?? -1).toBeCloseTo(one.pValue ?? -1, 12);
      expect(other.verdict).toBe(MIRRORED[one.verdict] ?? one.verdict);
      expect([other.nOnlyA, other.nOnlyB, other.nPaired]).toEqual([one.nOnlyB, one.nOnlyA, one.nPaired]);
      if (one.ci95 !== null) {
        expect(other.ci95![0]).toBeCloseTo(-one.ci95[1], 10);
        expect(other.ci95![1]).toBeCloseTo(-one.ci95[0], 10);
      }
    }),
    { numRuns: 40 },
  );
});

test("the order of rows never changes a report, and the same seed gives the same report", () => {
  fc.assert(
    fc.property(anyRun, anyRun, anyOptions, fc.nat(), (a, b, options, turn) => {
      const turned = (rows: Row[]) => [
        ...rows.slice(turn % (rows.length || 1)),
        ...rows.slice(0, turn % (rows.length || 1)),
      ];
      const report = compareRuns(a, b, options);
      // Unpaired, compat draws by place, as the Python SDK does.
      fc.pre(report.paired || options.inference === "strict");
      expect(compareRuns(turned(a), turned(b), options)).toEqual(report);
      expect(compareRuns(a, b, options)).toEqual(report);
    }),
  );
});

test("no number of a report is NaN or infinite, the interval holds its difference and a p-value is a chance", () => {
  fc.assert(
    fc.property(anyRun, anyRun, anyOptions, (a, b, options) => {
      const report = compareRuns(a, b, options);
      JSON.stringify(report, (_, value) => {
        if (typeof value === "number") expect(Number.isFinite(value)).toBe(true);
        return value;
      });
      for (const p of [report.pValue, report.midP]) if (p !== null) expect(p >= 0 && p <= 1).toBe(true);
      if (report.ci95 === null) return;
      expect(report.ci95[0] - 1e-9).toBeLessThanOrEqual(report.delta!);
      expect(report.ci95[1] + 1e-9).toBeGreaterThanOrEqual(report.delta!);
    }),
  );
});

test("duplicating every rollout narrows no interval", () => {
  fc.assert(
    fc.property(anyRun, anyRun, (a, b) => {
      const once = compareRuns(a, b);
      const twice = compareRuns([...a, ...a], [...b, ...b]);
      expect([twice.ci95, twice.pValue, twice.verdict]).toEqual([once.ci95, once.pValue, once.verdict]);
    }),
  );
});

test("a strict interval of a difference of rates has width", () => {
  fc.assert(
    fc.property(anyRun, anyRun, (a, b) => {
      const { ci95 } = compareRuns(a, b);
      if (ci95 !== null) expect(ci95[1]).toBeGreaterThan(ci95[0]);
    }),
  );
});

test.each([
  // tasks, verdict, interval: Bonett and Price at 6 of 6 is [0.29, 1]
  [5, "insufficient_data", [0.195836, 1]],
  [6, "b_better", [0.29166, 1]],
])("%i tasks that all flip to a pass", (n, verdict, ci95) => {
  const report = compareRuns(
    numbered(n, () => [0]),
    numbered(n, () => [1]),
  );
  expect(report).toMatchObject({ verdict, delta: 1, ciMethod: "adjusted", pValue: 2 / 2 ** n });
  expect(report.ci95![0]).toBeCloseTo(ci95[0]!, 4);
  expect(report.ci95![1]).toBe(1);
});

test("the percentile verdict of compat says better on five tasks, whatever its p-value", () => {
  const runs = [numbered(5, () => [0]), numbered(5, () => [1])] as const;
  expect(compareRuns(...runs, { inference: "compat" })).toMatchObject({ verdict: "b_better", note: "" });
});

test("three wins and three ties: strict does not follow the percentile interval", () => {
  const a = numbered(6, (i) => [i % 2]);
  const b = numbered(6, () => [1]);
  expect(compareRuns(a, b, { inference: "compat" }).verdict).toBe("b_better");
  expect(compareRuns(a, b)).toMatchObject({ verdict: "no_difference_detected", pValue: 0.25, midP: 0.125 });
});

test("where the interval and the p-value part, the note says which one withheld the verdict", () => {
  const a = numbered(24, () => [0, 0, 0, 0]);
  const raised = (n: number) => numbered(24, (i) => (i < n ? [1, 1, 0, 0] : [0, 0, 0, 0]));
  expect(compareRuns(a, raised(5))).toMatchObject({ verdict: "b_better", midP: 0.03125, note: "" });
  const report = compareRuns(a, raised(4));
  expect(report.ci95![0]).toBeGreaterThan(0);
  expect(report).toMatchObject({
    verdict: "no_difference_detected",
    midP: 0.0625,
    note: "the interval excludes zero and the p-value, 0.062, misses alpha 0.05: the two disagree, and the p-value withheld the verdict",
    warnings: [{ code: "p_value_disagrees" }],
  });
});

test("four shared tasks are not paired: Welch's t on task means, and its p-value", () => {
  const a = numbered(12, (i) => [i % 2, 0]);
  const b = run(Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`t${i + 8}`, [1, i % 2]])));
  const report = compareRuns(a, b);
  expect(report).toMatchObject({ paired: false, nPaired: 4, nOnlyA: 8, nOnlyB: 8, nUsed: 12, verdict: "b_better" });
  expect(report).toMatchObject({ delta: 0.5, ciMethod: "welch", pMethod: "welch", midP: null });
  // t = 0.5 / √(2 · 0.0681818 / 12) on 22 degrees of freedom.
  expect(report.ci95![0]).toBeCloseTo(0.27893, 4);
  expect(report.pValue).toBeCloseTo(0.000112, 5);
});

test("two runs of disjoint tasks without any spread: one more pass and one more failure on each side", () => {
  const a = run(Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`a${i}`, [0]])));
  const b = run(Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`b${i}`, [1]])));
  // Agresti and Caffo: 7/8 - 1/8 ± 1.96 √(2 · 7/64 / 8)
  const report = compareRuns(a, b);
  expect(report).toMatchObject({ verdict: "b_better", delta: 1, ciMethod: "adjusted" });
  expect(report.ci95![0]).toBeCloseTo(0.4259, 4);
});

test("fewer tasks never decide more: under six a side, the unpaired fallback has no verdict either", () => {
  const a = run(Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`a${i}`, [0]])));
  const b = run(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`b${i}`, [1]])));
  expect(compareRuns(a, b).verdict).toBe("insufficient_data");
});

test("a marker in its own unit, the same on every task: no bound is known, and the report says so", () => {
  const words = (n: number) => Array.from({ length: 8 }, (_, i): Row => ({ task_id: `t${i}`, markers: { words: n } }));
  const report = compareRuns(words(100), words(120), { metric: "marker:words" });
  expect(report).toMatchObject({ delta: 20, ci95: null, verdict: "insufficient_data" });
  expect(report.warnings.map(({ code }) => code)).toEqual(["no_interval"]);
});

test("what is odd about the rows is said, with the run it is in", () => {
  const a: Row[] = [...numbered(8, () => [0, 1]), { reward: 1 }, { task_id: "t0", reward: 1, rollout_id: "x" }];
  const b: Row[] = [...a, { task_id: "t0", reward: 1, rollout_id: "x" }];
  const report = compareRuns(a, b);
  expect(report.warnings.map(({ code }) => code)).toEqual(["no_task_key", "no_task_key", "repeated_rollouts"]);
  expect(report).toMatchObject({ nWithoutKeyA: 1, nWithoutKeyB: 1, nPaired: 8 });
  expect(compareRuns(a, structuredClone(a)).warnings.map(({ code }) => code)).toContain("same_rows");
});

test("rows without a verdict and partial credit are counted, not taken for failures", () => {
  const a: Row[] = [...numbered(8, () => [0, 1]), { task_id: "t0", reward: 0.5 }, { task_id: "t1", reward: null }];
  const report = compareRuns(
    a,
    numbered(8, () => [0, 1]),
  );
  expect(report).toMatchObject({ nRowsA: 16, nRowsTotalA: 18, nRowsB: 16, nRowsTotalB: 16, delta: 0 });
  expect(report.warnings).toEqual([
    { code: "unmeasured_rows", text: "2 of 18 rows of a without pass_at_1 (no reward of 0 or 1), left out" },
  ]);
});

test("rows that name no task match nothing: refused when they are most of a run", () => {
  const rows: Row[] = [{ reward: 1 }, { reward: 0 }, { task_id: "a", reward: 1 }];
  expect(() => compareRuns(rows, rows)).toThrow("2 of 3 rows of a run have no scenario_id, task_id or prompt.");
  expect(compareRuns(rows, rows, { inference: "compat" }).nPaired).toBe(2);
});

test.each([
  [{ metric: "pass" }, "There is no metric pass."],
  [{ minPaired: 0 }, "minPaired is 0."],
  [{ level: 1 }, "The level is 1."],
  [{ nboot: 3 }, "Did you mean nBoot?"],
])("%j is refused", (options, message) => {
  expect(() => compareRuns([], [], options as unknown as CompareOptions)).toThrow(message);
});

test("the printed block", () => {
  const a = numbered(12, (i) => [0, i % 2, 0, 0]);
  const b = numbered(10, (i) => [1, i % 2, i % 3 === 0 ? 1 : 0, 0]);
  expect(formatCompareRuns(compareRuns(a, b))).toBe(
    [
      "b is better: pass_at_1 +0.350 [+0.239..+0.452] at 0.95, p 0.002 (mid-p < 0.001)",
      "  a 0.125, b 0.475; 10 paired tasks",
      "  of these tasks alone mid-p < 0.001; the p above is for new tasks like them",
      "  2 only in a and 0 only in b are left out, and the conclusion covers the 10 shared tasks alone",
    ].join("\n"),
  );
  expect(formatCompareRuns(compareRuns([], []))).toBe(
    "insufficient data: pass_at_1 is not measured on both runs\n  a not measured, b not measured; 0 and 0 tasks",
  );
});

describe("clusters", () => {
  /** 24 tasks of 4 personas; with a persona all tasks move alike. */
  const personas = (rewardsOf: (persona: number) => readonly number[]): Row[] =>
    numbered(24, (i) => rewardsOf(i % 4)).map((row) => ({ ...row, persona: `p${Number(row.task_id!.slice(1)) % 4}` }));
  const before = personas(() => [0, 0, 1, 0]);
  const after = personas((persona) => (persona === 0 ? [0, 0, 1, 0] : [1, 0, 1, 0]));

  test("tasks that share a persona are not draws of their own: four personas prove nothing", () => {
    expect(compareRuns(before, after).verdict).toBe("b_better");
    const report = compareRuns(before, after, { cluster: "persona" });
    expect(report).toMatchObject({
      cluster: "persona",
      nClusters: 4,
      nPaired: 24,
      nUsed: 24,
      verdict: "insufficient_data",
    });
    expect(report.delta).toBe(compareRuns(before, after).delta);
    // Three of four clusters rose and one did not move: 2 of 8 arrangements are as far out, on both sides.
    expect(report.pValue).toBe(0.25);
    expect(report.note).toBe("on 4 clusters no result can reach alpha 0.05, it takes 6; add clusters, not rollouts");
    expect(formatCompareRuns(report)).toContain("24 paired tasks in 4 clusters by persona");
  });

  test("five tasks of one persona are asked about, until they are clusters", () => {
    const asked = compareRuns(before, after).warnings.find(({ code }) => code === "unclustered")!;
    expect(asked.text).toBe(
      'up to 6 of 24 tasks share a persona and are counted as independent draws; cluster: "persona" counts each persona as one',
    );
    const [a, b] = [before, after].map((rows) => rows.map((row) => ({ ...row, persona: `p of ${row.task_id}` })));
    expect(compareRuns(a!, b!).warnings).toEqual([]);
  });

  test("from six clusters there is a verdict, under ten a warning", () => {
    const [a, b] = [before, after].map((rows) =>
      rows.map((row) => ({ ...row, persona: `q${Number(row.task_id!.slice(1)) % 8}` })),
    );
    const report = compareRuns(a!, b!, { cluster: (row) => String(row.persona) });
    expect(report).toMatchObject({ nClusters: 8, verdict: "b_better" });
    expect(report.warnings.map(({ code }) => code)).toEqual(["few_clusters"]);
    const [low, high] = compareRuns(a!, b!).ci95!;
    expect(report.ci95![1] - report.ci95![0]).toBeGreaterThan(high - low);
  });

  test("clusters of many sizes: the interval stays within what a difference can be", () => {
    const uneven = (rewards: readonly number[]) =>
      numbered(13, () => rewards).map((row, i) => ({ ...row, doc: i < rewards.length * 7 ? "big" : row.task_id! }));
    const report = compareRuns(uneven([0, 0]), uneven([1, 1]), { cluster: "doc" });
    expect(report).toMatchObject({ nClusters: 7, delta: 1 });
    expect(report.ci95![1]).toBeLessThanOrEqual(1);
  });

  test("a task of its own is a cluster of its own: nothing changes, and it is said", () => {
    fc.assert(
      fc.property(anyRun, anyRun, anyOptions, (a, b, options) => {
        const { cluster, nClusters, note, warnings, ...own } = compareRuns(a, b, { ...options, cluster: "task_id" });
        const { cluster: _, nClusters: none, note: __, warnings: ___, ...plain } = compareRuns(a, b, options);
        expect(own).toEqual(plain);
        expect([cluster, nClusters, none]).toEqual(["task_id", own.nUsed, null]);
      }),
    );
  });

  test("the order of rows does not matter, nor which rows of a task name its cluster", () => {
    fc.assert(
      fc.property(anyRun, anyRun, fc.array(fc.nat(3), { minLength: 5, maxLength: 5 }), (a, b, names) => {
        const named = (rows: Row[]) => rows.map((row, i) => ({ ...row, doc: String(names[i % 5]) }));
        const [one, other] = [named(a), named(b)];
        const report = compareRuns(one, other, { cluster: "doc" });
        expect(compareRuns([...one].reverse(), [...other].reverse(), { cluster: "doc" })).toEqual(report);
      }),
    );
  });
});

import { type Row, toWire } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeltaOptions } from "./delta-options.ts";
import { deltaReport } from "./delta-report.ts";
import { formatDeltaReport } from "./format-delta-report.ts";
import type { DeltaReport } from "./report.ts";

const compat = { inference: "compat" } as const;

/** n tasks with these rewards, and on every row these fields. */
function tasks(n: number, rewards: readonly number[], extra: Partial<Row> = {}, name = "t"): Row[] {
  return Array.from({ length: n }, (_, i) =>
    rewards.map((reward): Row => ({ task_id: `${name}${i}`, reward, ...extra })),
  ).flat();
}

/** Tasks whose k-th rewards alternate, so that differences have a spread. */
const uneven = (n: number, odd: readonly number[], even: readonly number[], extra: Partial<Row> = {}): Row[] =>
  Array.from({ length: n }, (_, i) =>
    (i % 2 ? odd : even).map((reward): Row => ({ task_id: `t${i}`, reward, ...extra })),
  ).flat();

const BEFORE = uneven(24, [1, 0, 0, 0], [0, 1, 1, 0]);
const AFTER = uneven(24, [1, 1, 1, 0], [1, 1, 1, 0]);

const codes = ({ warnings }: DeltaReport): string[] => warnings.map(({ code }) => code);
const marked = (rows: readonly Row[], name: string, values: readonly number[]): Row[] =>
  rows.map((row, i) => ({ ...row, markers: { ...row.markers, [name]: values[i % values.length]! } }));

describe("the verdict", () => {
  test.each([
    // before, after, options, headline, ok
    [BEFORE, AFTER, {}, "PASS", true],
    [AFTER, BEFORE, {}, "FAIL", false],
    [AFTER, BEFORE, { target: "pass_at_1" }, "FAIL", false],
    [BEFORE, BEFORE, { target: "pass_at_1" }, "NO DIFFERENCE", true],
    [BEFORE, AFTER, { runStd: 0.5 }, "NO DIFFERENCE", true],
    [BEFORE, AFTER, { target: "polite" }, "TARGET NOT MEASURED", false],
    [BEFORE, AFTER, { target: "pass_at_1", mustNotRegress: ["polite"] }, "GUARDS NOT MEASURED", false],
    [tasks(5, [0, 0]), tasks(5, [1, 1]), { target: "pass_at_1" }, "INSUFFICIENT DATA", true],
    [BEFORE, tasks(24, [1, 1], {}, "other"), {}, "NOT COMPARABLE (situations)", false],
  ] as const)("(%#) %3$s", (before, after, options, headline, ok) => {
    expect(deltaReport(before, after, options)).toMatchObject({ headline, ok });
  });

  test("moved needs re-runs: three a side turn moved_unreplicated into moved", () => {
    const runs = (rows: readonly Row[]) =>
      [0, 1, 2].flatMap((run) => rows.map((row) => ({ ...row, lineage: { eval_run: run } })));
    const noisy = (rows: readonly Row[]) =>
      runs(rows).map((row, i) => (i % 96 === 0 ? { ...row, reward: (i / 96) % 2 } : row));
    const report = deltaReport(noisy(BEFORE), noisy(AFTER), { target: "pass_at_1" });
    expect(report).toMatchObject({ targetVerdict: "moved", replicated: true, runStdSource: "eval_run", runStdDf: 4 });
    expect(report.noiseRule).toBe("t(df=4)=2.78 x run_std x sqrt(1/3 + 1/3)");
    // Equal runs show no spread: that replicates nothing.
    const equal = deltaReport(runs(BEFORE), runs(AFTER), { target: "pass_at_1" });
    expect(equal).toMatchObject({ targetVerdict: "moved_unreplicated", runStd: 0, replicated: false });
    expect(codes(equal)).toContain("deterministic_rerun");
    expect(deltaReport(runs(BEFORE), runs(AFTER), { target: "pass_at_1", ...compat }).targetVerdict).toBe("moved");
  });

  test("one interval over tasks and runs decides: what rollouts explain of a floor is no second hurdle", () => {
    const floor = { runStd: 0.1, runStdRuns: 9 };
    const { metrics, targetVerdict } = deltaReport(BEFORE, AFTER, { target: "pass_at_1", ...floor });
    const { delta, ci95, runsCi95, runVariance, taskVariance, noiseBand } = metrics.get("pass_at_1")!;
    expect(targetVerdict).toBe("moved");
    expect(runsCi95![0]).toBeLessThan(ci95![0]);
    expect(runVariance).toBeGreaterThan(taskVariance!);
    expect(runVariance).toBeLessThan(2 * 0.1 ** 2);
    // The band alone would have let it through too; a wider one is no proof either way.
    expect(delta).toBeGreaterThan(noiseBand!);
    const wide = deltaReport(BEFORE, AFTER, { target: "pass_at_1", runStd: 0.5 });
    expect(wide).toMatchObject({ targetVerdict: "within_eval_noise", withinNoise: ["pass_at_1"] });
    expect(wide.warnings.find(({ code }) => code === "within_eval_noise")!.text).toContain("which covers zero");
    expect(wide.metrics.get("pass_at_1")!.runsCi95).toEqual([-1, 1]);
    expect(deltaReport(BEFORE, AFTER, { ...floor, ...compat }).metrics.get("pass_at_1")!.runsCi95).toBeNull();
  });

  test("a metric without a floor borrows none", () => {
    const before = marked(BEFORE, "brief", [0, 1, 0]);
    const after = marked(AFTER, "brief", [1, 1, 0]);
    const report = deltaReport(before, after, { target: "brief", runStd: { pass_at_1: 0.02 }, runStdRuns: 3 });
    expect(report).toMatchObject({ target: "marker:brief", runStd: null, noiseBand: null, replicated: false });
    expect(report.metrics.get("marker:brief")).toMatchObject({ noiseNote: "no_replicate_floor" });
    expect(report.metrics.get("pass_at_1")!.noiseBand).toBeCloseTo(0.1217, 4);
    expect(codes(report)).toContain("no_replicate_floor");
  });

  test("where less is better the delta stays as it is and the verdict turns", () => {
    const before = marked(BEFORE, "refusal", [1, 1, 1, 0]);
    const after = marked(AFTER, "refusal", [0, 0, 1, 0, 0]);
    const asked = deltaReport(before, after, { target: "refusal" });
    expect(asked).toMatchObject({ targetVerdict: "moved_the_wrong_way", ok: false });
    expect(codes(asked)).toContain("undeclared_direction");
    for (const lowerIsBetter of [["refusal"], { "marker:refusal": true }]) {
      const report = deltaReport(before, after, { target: "refusal", lowerIsBetter });
      expect(report).toMatchObject({
        targetVerdict: "moved_unreplicated",
        ok: true,
        lowerIsBetter: ["marker:refusal"],
      });
      expect(report.targetDelta).toBe(asked.targetDelta);
      expect(report.metrics.get("marker:refusal")).toMatchObject({ verdict: "a_better", gainVerdict: "b_better" });
    }
    expect(() => deltaReport(before, after, { lowerIsBetter: ["refusals"] })).toThrow(
      "lowerIsBetter names refusals, which is not measured on both sides. Name some of pass_at_1, marker:refusal.",
    );
  });
});

test("a drop of pass@1 without a target fails, and no sentence says that the gate does not read it", () => {
  const textOf = (options: DeltaOptions) =>
    deltaReport(AFTER, BEFORE, options).warnings.find(({ code }) => code === "slipped")!.text;
  expect(textOf({})).toContain("(no target was named, so the gate reads it)");
  expect(textOf(compat)).toContain("(no guard, so the gate does not read it)");
});

describe("guards", () => {
  const before = marked(marked(BEFORE, "honest", [1]), "kind", [1, 1, 1, 0]);
  const after = marked(marked(AFTER, "honest", [0]), "kind", [1, 1, 1, 0, 1, 1, 0]);

  test("a proven drop fails, all 1 before and all 0 after included", () => {
    const options: DeltaOptions = { target: "pass_at_1", mustNotRegress: ["honest"] };
    expect(deltaReport(before, after, options)).toMatchObject({
      headline: "FAIL",
      failures: ["regression"],
      regressions: ["marker:honest"],
      degenerateGuards: [],
    });
    expect(deltaReport(before, after, { ...options, ...compat }).degenerateGuards).toEqual(["marker:honest"]);
  });

  test("one value on both sides cannot fail, and is said to", () => {
    const report = deltaReport(marked(BEFORE, "honest", [1]), marked(AFTER, "honest", [1]), {
      mustNotRegress: ["honest"],
    });
    expect(report).toMatchObject({ ok: true, degenerateGuards: ["marker:honest"] });
    expect(codes(report)).toContain("guard_degenerate");
  });

  test("among several guards the smallest visible drop is larger: its p-value has to stand among them", () => {
    const report = deltaReport(before, after, { mustNotRegress: ["kind"] });
    const both = deltaReport(before, after, { mustNotRegress: ["kind", "pass_at_1"] });
    const [alone, among] = [report, both].map(({ guards }) => guards.get("marker:kind")!.visibleDrop!);
    expect(among!).toBeGreaterThan(alone!);
  });

  test("no proven drop is no proof: guardMode prove asks for one", () => {
    const options: DeltaOptions = { target: "pass_at_1", mustNotRegress: ["kind"] };
    const report = deltaReport(before, after, options);
    expect(report).toMatchObject({ ok: true, regressions: [] });
    const guard = report.guards.get("marker:kind")!;
    expect(guard).toMatchObject({ measured: true, degenerate: false, margin: 0.05, nonInferior: false });
    expect(guard.visibleDrop).toBeGreaterThan(0.05);
    expect(codes(report)).toContain("guard_not_proven");
    expect(deltaReport(before, after, { ...options, guardMode: "prove" })).toMatchObject({
      headline: "FAIL",
      failures: ["guard_not_proven"],
    });
    expect(deltaReport(before, after, { ...options, guardMode: "prove", margin: 0.9 }).ok).toBe(true);
  });

  test("Holm among the guards, the target's p-value as it is", () => {
    const { metrics } = deltaReport(before, after, { target: "pass_at_1", mustNotRegress: ["honest", "kind"] });
    expect(metrics.get("pass_at_1")!.pAdjusted).toBe(metrics.get("pass_at_1")!.midP);
    expect(metrics.get("marker:honest")!.pAdjusted).toBe(2 * metrics.get("marker:honest")!.midP!);
  });

  test("max-T beside Holm: what two guards share is not paid for twice", () => {
    // numpy, all 2^10 arrangements: mid-p alone 0.046875 and 0.03125, step-down max-T 0.046875 and 0.0390625.
    const a = [-0.5, -0.25, 0, -0.5, -0.25, 0.25, -0.5, 0, -0.25, 0];
    const b = [-0.25, -0.25, -0.25, -0.5, 0, 0.25, -0.5, 0, -0.25, -0.25];
    const side = (of: (i: number) => Record<string, number>): Row[] =>
      a.map((_, i) => ({ task_id: `t${i}`, reward: i % 2, persona: `p${i}`, markers: of(i) }));
    const early = side(() => ({ a: 0.5, b: 0.5 }));
    const late = side((i) => ({ a: 0.5 + a[i]!, b: 0.5 + b[i]! }));
    const options = { target: "pass_at_1", mustNotRegress: ["a", "b"] };
    const { metrics, warnings } = deltaReport(early, late, options);
    const [one, other] = [metrics.get("marker:a")!, metrics.get("marker:b")!];
    expect([one.pAdjusted, other.pAdjusted]).toEqual([0.0625, 0.0625]);
    expect(one.pMaxT).toBeCloseTo(0.046875, 12);
    expect(other.pMaxT).toBeCloseTo(0.0390625, 12);
    expect(metrics.get("pass_at_1")!.pMaxT).toBeNull();
    // By Holm both falls might be false alarms, by max-T neither is.
    expect(warnings.filter(({ code }) => code === "regression").map(({ text }) => text)).toEqual([
      expect.not.stringContaining("false alarm"),
      expect.not.stringContaining("false alarm"),
    ]);
    const clustered = deltaReport(early, late, { ...options, cluster: "persona" });
    expect(clustered.metrics.get("marker:b")!.pMaxT).toBeCloseTo(0.0390625, 12);
    expect(deltaReport(early, late, { ...options, ...compat }).metrics.get("marker:a")!.pMaxT).toBeNull();
  });

  test("a task that has one of two guards alone says nothing of the other", () => {
    const rows = (shift: number): Row[] =>
      Array.from({ length: 12 }, (_, i) => ({
        ...{ task_id: `t${i}`, reward: 1 },
        markers: { a: 0.5 + shift * ((i % 3) - 1), ...(i < 8 ? { b: 0.5 - shift * (i % 2) } : {}) },
      }));
    const { metrics } = deltaReport(rows(0), rows(0.25), { mustNotRegress: ["a", "b"] });
    const alone = deltaReport(rows(0), rows(0.25), { mustNotRegress: ["b"], markers: ["b"] }).metrics.get("marker:b")!;
    expect(metrics.get("marker:b")!.nPaired).toBe(8);
    expect(alone.pMaxT).toBe(alone.midP);
    expect(metrics.get("marker:b")!.pMaxT).toBeGreaterThanOrEqual(alone.midP!);
  });
});

describe("comparability", () => {
  const withSetup = (rows: readonly Row[], extra: Partial<Row>) => rows.map((row): Row => ({ ...row, ...extra }));
  const prompts = [
    withSetup(BEFORE, { lineage: { system_prompt_sha: "p1" } }),
    withSetup(AFTER, { lineage: { system_prompt_sha: "p2" } }),
  ] as const;

  test.each([
    // options, causes, ok
    [{}, [], true],
    [{ varied: ["prompt"] }, [], true],
    [{ varied: ["model"] }, ["prompt_hash"], false],
    [compat, ["prompt_hash"], true],
    [{ ...compat, varied: ["prompt"] }, [], true],
  ] as const)("another system prompt with %j", (options, notComparable, ok) => {
    const report = deltaReport(...prompts, options);
    expect(report).toMatchObject({ notComparable, ok });
    expect(codes(report).includes("setting_differs")).toBe(notComparable.length === 0 && !("varied" in options));
  });

  test.each([
    ["temperature", { sampling: { temperature: 0 } }, { sampling: { temperature: 1 } }],
    ["max_tokens", { sampling: { max_tokens: 10 } }, { sampling: { max_tokens: 20 } }],
    ["judge_version", { lineage: { judge_version: "j1" } }, { lineage: { judge_version: "j2" } }],
    ["model", { policy_version: "m@1" }, { policy_version: "n@1" }],
    ["user_model", { user_model: "u" }, { user_model: "v" }],
    ["writer_model", { writer_model: "u" }, { writer_model: "v" }],
  ] as const)("once the treatment is named, another %s is a cause", (cause, a, b) => {
    const arms = [withSetup(BEFORE, a), withSetup(AFTER, b)] as const;
    expect(deltaReport(...arms, { varied: ["prompt"] })).toMatchObject({ notComparable: [cause], ok: false });
    const own = cause.replace("_model", "").replace("_version", "") as "temperature";
    expect(deltaReport(...arms, { varied: [own] }).notComparable).toEqual([]);
  });

  test("ungraded rows that could have made the delta are a cause", () => {
    const lost = AFTER.map((row, i): Row => (i % 2 ? row : { task_id: row.task_id! }));
    const report = deltaReport(BEFORE, lost, { target: "pass_at_1" });
    expect(report).toMatchObject({ notComparable: ["graded_share"], gradedBound: 1, ok: false });
  });

  test("a side that did not answer is a cause, with the mechanism", () => {
    const silent = withSetup(AFTER, { final_text: "<think>and so" });
    const report = deltaReport(withSetup(BEFORE, { final_text: "Done." }), silent);
    expect(report.notComparable).toEqual(["answered"]);
    expect(report.warnings[0]!.text).toContain("Reasoning is never closed on 0% of rows before and 100% after");
  });

  test("with clusters the answers are tested by them: twelve silent tasks of two documents are two draws", () => {
    const spoken = (document: (i: number) => number, text: (i: number) => string) =>
      Array.from(
        { length: 40 },
        (_, i): Row => ({
          task_id: `t${i}`,
          reward: i % 2,
          final_text: text(i),
          document: `d${document(i)}`,
        }),
      );
    const document = (i: number) => Math.floor(i / 6);
    const arms = (text: (i: number) => string) => [spoken(document, () => "Done."), spoken(document, text)] as const;
    const [before, after] = arms((i) => (i < 12 ? "" : "Done."));
    expect(deltaReport(before, after).notComparable).toEqual(["answered"]);
    expect(deltaReport(before, after, { cluster: "document" }).notComparable).toEqual([]);
  });

  test("several values within a side are said, and not compared", () => {
    const both = BEFORE.map((row, i): Row => ({ ...row, user_model: i % 2 ? "u" : "v" }));
    const report = deltaReport(both, withSetup(AFTER, { user_model: "u" }));
    expect(report.notComparable).toEqual([]);
    expect(codes(report)).toContain("setting_mixed");
  });

  test("a run against itself is said to be", () => {
    const rows = withSetup(BEFORE, { policy_version: "m@1" });
    expect(codes(deltaReport(rows, rows))).toEqual(expect.arrayContaining(["same_rows", "same_policy"]));
  });
});

describe("clusters", () => {
  const personas = (rewards: readonly number[], n = 4) =>
    tasks(24, rewards).map(
      (row): Row => ({
        ...row,
        persona: `p${Number(row.task_id!.slice(1)) % n}`,
        markers: { kind: row.reward as number },
      }),
    );

  test("are what varies, for the verdict, the guards and what the set could show", () => {
    const [a, b] = [personas([0, 0, 1, 0]), personas([1, 0, 1, 0])];
    expect(deltaReport(a, b, { target: "pass_at_1" }).headline).toBe("PASS");
    const report = deltaReport(a, b, { target: "pass_at_1", mustNotRegress: ["kind"], cluster: "persona" });
    expect(report).toMatchObject({ headline: "INSUFFICIENT DATA", cluster: "persona", nClusters: 4, nPairedTasks: 24 });
    expect(report.guardsNotMeasured).toEqual(["marker:kind"]);
    expect(formatDeltaReport(report)).toContain("over 24 paired tasks in 4 clusters by persona");
    expect(deltaReport(personas([0, 0, 1, 0], 8), personas([1, 1, 1, 0], 8), { cluster: "persona" }).headline).toBe(
      "PASS",
    );
  });

  test("clusters of one task change no number", () => {
    const [a, b] = [marked(BEFORE, "kind", [0, 1, 0.5]), marked(AFTER, "kind", [1, 0.5])];
    const { warnings, cluster, nClusters, metrics, ...own } = deltaReport(a, b, { cluster: "task_id" });
    const { warnings: _, cluster: __, nClusters: ___, metrics: ____, ...plain } = deltaReport(a, b);
    expect(own).toEqual(plain);
    expect([cluster, nClusters]).toEqual(["task_id", 24]);
  });
});

test.each([
  // margins of the guard, proven
  [{}, false],
  [{ kind: 0.9 }, true],
  [{ "marker:kind": 0.9 }, true],
])("guardMargins %j: the guard is proven %j", (guardMargins, ok) => {
  const before = marked(BEFORE, "kind", [1, 1, 1, 0]);
  const after = marked(AFTER, "kind", [1, 1, 1, 0, 1, 1, 0]);
  const report = deltaReport(before, after, { mustNotRegress: ["kind"], guardMode: "prove", guardMargins });
  expect(report).toMatchObject({ ok, margin: 0.05 });
  expect(report.guards.get("marker:kind")!.margin).toBe(ok ? 0.9 : 0.05);
});

test("a gain that no re-run was held against passes, unless it is asked to be inconclusive", () => {
  expect(deltaReport(BEFORE, AFTER).headline).toBe("PASS");
  expect(deltaReport(BEFORE, AFTER, { unreplicatedAs: "inconclusive" })).toMatchObject({
    headline: "INCONCLUSIVE",
    ok: true,
  });
  expect(deltaReport(AFTER, AFTER, { unreplicatedAs: "inconclusive" }).headline).toBe("NO DIFFERENCE");
  expect(deltaReport(BEFORE, AFTER, { unreplicatedAs: "inconclusive", runStd: 0.01 }).headline).toBe("PASS");
});

test.each([
  // keys of the rows before and after, what they are grouped by
  [{ category: "x", slice: "y" }, { category: "x", slice: "y" }, "category"],
  [{ category: "x", slice: "y" }, { slice: "y" }, "slice"],
  [{ category: "x" }, { slice: "y" }, null],
])('by "auto": %j and %j are grouped by %j', (one, other, by) => {
  const report = deltaReport(
    BEFORE.map((row): Row => ({ ...row, ...one })),
    AFTER.map((row): Row => ({ ...row, ...other })),
    { by: "auto" },
  );
  expect(report.by).toBe(by);
  expect(report.groups === null).toBe(by === null);
});

describe("how many tasks the change would take", () => {
  // Half of 24 tasks gain a quarter, some lose it.
  const slight = uneven(24, [1, 1, 0, 0], [0, 1, 1, 0]).map((row, i) => (i % 32 === 1 ? { ...row, reward: 0 } : row));

  test("a gain that is not proven has no number at the lower end of its interval", () => {
    const report = deltaReport(BEFORE, slight.slice(0, 40).concat(BEFORE.slice(40)), {});
    expect(report.headlineVerdict).toBe("no_change_detected");
    const [fewest, most] = report.tasksNeededRange!;
    expect(fewest!).toBeLessThan(report.tasksNeeded!);
    expect(most).toBeNull();
    const text = report.warnings.find(({ code }) => code === "underpowered")!.text;
    expect(text).toContain(`${fewest} at the upper end of its interval and no number at the lower (spread measured)`);
  });

  test("a proven one has two, less is better or more", () => {
    const noisy = AFTER.map((row, i) => (i % 5 === 1 ? { ...row, reward: 0 } : row));
    const { tasksNeeded, tasksNeededRange } = deltaReport(BEFORE, noisy);
    const [fewest, most] = tasksNeededRange!;
    expect(fewest!).toBeLessThan(tasksNeeded!);
    expect(most!).toBeGreaterThan(tasksNeeded!);
    const turned = deltaReport(noisy, BEFORE, { lowerIsBetter: ["pass_at_1"] });
    expect(turned.tasksNeededRange).toEqual(tasksNeededRange);
  });

  test("without a gain there is none", () => {
    expect(deltaReport(AFTER, BEFORE)).toMatchObject({ tasksNeeded: null, tasksNeededRange: null });
  });
});

describe("training runs", () => {
  /** Two tasks of three rise in this seed, or the others do. */
  const seed = (rows: readonly Row[], name: string, lift: number) =>
    rows.map(
      (row, i): Row => ({
        ...row,
        lineage: { ...row.lineage, train_run: name },
        reward: i % 4 < lift ? 1 : (row.reward as number),
      }),
    );
  const even = [...seed(BEFORE, "s1", 2), ...seed(BEFORE, "s2", 2), ...seed(AFTER, "s3", 2)];
  const apart = [...seed(BEFORE, "s1", 4), ...seed(BEFORE, "s2", 0)];

  test.each([
    // the after side, verdict, headline
    [even, "moved_unreplicated", "PASS"],
    [apart, "unresolved", "UNRESOLVED"],
    [seed(AFTER, "s1", 3), "unresolved", "UNRESOLVED"],
  ] as const)("(%#) by key: %2$s", (after, targetVerdict, headline) => {
    const report = deltaReport(BEFORE, after, { target: "pass_at_1", trainRuns: "train_run" });
    expect(report).toMatchObject({ targetVerdict, headline, ok: true });
    expect(codes(report).includes("unresolved")).toBe(targetVerdict === "unresolved");
    expect(formatDeltaReport(report)).toContain("training: before not trained");
    expect(() => toWire(report)).not.toThrow();
  });

  test("the interval is that over tasks with the spread of the runs added in squares", () => {
    const sets = ["s1", "s2", "s3"].map((name) => even.filter(({ lineage }) => lineage!.train_run === name));
    const { training, targetCi95 } = deltaReport(BEFORE, even, { target: "pass_at_1", trainRuns: { after: sets } });
    const scores = sets.map(
      (rows) => deltaReport(BEFORE, rows, { target: "pass_at_1" }).metrics.get("pass_at_1")!.meanB!,
    );
    const centre = scores.reduce((total, score) => total + score, 0) / 3;
    const std = Math.sqrt(scores.reduce((total, score) => total + (score - centre) ** 2, 0) / 2);
    const half = Math.hypot((targetCi95![1] - targetCi95![0]) / 2, (4.302653 * std) / Math.sqrt(3));
    expect(training).toMatchObject({ trainRuns: { before: null, after: 3 }, trainDf: 2 });
    expect(training!.trainStd.after).toBeCloseTo(std, 12);
    expect(training!.trainCi95![1] - training!.trainDelta!).toBeCloseTo(half, 5);
  });

  test.each([
    [{ trainRuns: "seed" }, "No row has a seed, which trainRuns names."],
    [{ trainRuns: { after: [] } }, "trainRuns has no run of an arm."],
  ])("%j is refused", (options, message) => {
    expect(() => deltaReport(BEFORE, AFTER, options)).toThrow(message);
  });
});

test("a group that fell behind a headline that rose is named, with its p-value among the groups", () => {
  const rows = (easy: readonly number[], hard: readonly number[]) => [
    ...tasks(40, easy, { tier: "easy" }, "e"),
    ...tasks(8, hard, { markers: { tier: 7 } }, "h"),
  ];
  const report = deltaReport(rows([1, 0, 0, 0], [1, 1, 1, 0]), rows([1, 1, 1, 0], [1, 0, 0, 0]), { by: "tier" });
  expect(report).toMatchObject({ ok: true, by: "tier", groupsDown: ["7"] });
  expect([...report.groups!.keys()]).toEqual(["7", "easy"]);
  expect(report.groups!.get("7")).toMatchObject({ delta: -0.5, rowsA: 32, rowsB: 32, gainVerdict: "a_better" });
  expect(report.warnings.find(({ code }) => code === "group_down")!.text).toContain(
    "the headline moved up and hides this group",
  );
});

test("balancing trims graded rows of the fuller side, and nothing else", () => {
  const short = tasks(24, [1, 0]);
  const report = deltaReport([...BEFORE, { task_id: "t0" }], short, { balanceRollouts: true });
  expect(report.balanced).toEqual({ rowsDropped: { before: 48, after: 0 }, tasksTrimmed: 24 });
  expect(report.config.before.gradedShare).toBe(0.9796); // 48 of 49: the ungraded row stayed
  const unequal = deltaReport(BEFORE, short);
  expect(unequal.nShortTasks).toBe(24);
  expect(unequal.warnings.find(({ code }) => code === "unequal_k")!.text).toContain(
    "k=4 before and k=2 after, 24 paired tasks short of 4",
  );
  expect(report.nShortTasks).toBe(0);
});

test("what the tasks could show rests on the target's own spread", () => {
  const before = marked(BEFORE, "brief", [0, 1, 0]);
  const after = marked(AFTER, "brief", [0, 0, 1, 0, 1]);
  const own = deltaReport(before, after, { target: "brief" });
  const passAt1 = deltaReport(before, after, { target: "pass_at_1" });
  expect(own.detectableEffect).not.toBe(passAt1.detectableEffect);
  expect(deltaReport(before, after, { target: "brief", ...compat }).detectableEffect).toBe(
    deltaReport(before, after, { target: "pass_at_1", ...compat }).detectableEffect,
  );
});

test.each([
  [{ alpha: 1 }, "alpha is 1"],
  [{ runStd: -1 }, "runStd is -1"],
  [{ runStd: 0.1, runStdRuns: 2.5 }, "runStdRuns is 2.5"],
  [{ margin: 0 }, "margin is 0"],
  [
    { mustNotRegress: ["a"], guardMargins: { b: 0.1 } },
    "guardMargins names b, which mustNotRegress does not. Name some of marker:a.",
  ],
  [{ mustNotRegress: ["a"], guardMargins: { a: 0 } }, "The margin of a is 0."],
  [{ unreplicatedAs: "fail" }, 'unreplicatedAs is "fail"'],
  [{ varied: ["prompts"] }, 'varied names "prompts"'],
  [{ guardMode: "ask" }, 'guardMode is "ask"'],
  [{ targets: "pass_at_1" }, "There is no option targets. Did you mean target?"],
])("%j is refused", (options, message) => {
  expect(() => deltaReport(BEFORE, AFTER, options as DeltaOptions)).toThrow(message);
});

const quarters = fc.integer({ min: 0, max: 4 });
const rowOf = fc.record({
  task_id: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h", "__proto__", ""),
  reward: fc.constantFrom(0, 1, 0.5, null),
  markers: fc.record({ brief: quarters.map((n) => n / 4), odd: fc.constantFrom(0, 1, null) }, { requiredKeys: [] }),
  tier: fc.constantFrom("x", "y", ""),
  lineage: fc.record({ eval_run: fc.constantFrom(0, 1, 2) }, { requiredKeys: [] }),
  final_text: fc.constantFrom("yes", "", "<think>"),
});
/** Rows without a task are refused when they are the majority. */
const arm = fc.array(rowOf, { maxLength: 40 }).map((rows) => {
  const keyed = rows.filter(({ task_id }) => task_id !== "");
  return [...keyed, ...rows.filter(({ task_id }) => task_id === "").slice(0, keyed.length)] as Row[];
});
const OPTIONS: DeltaOptions = { target: "brief", mustNotRegress: ["odd", "pass_at_1"], proxy: "pass_at_1", by: "tier" };

test("swapping the sides turns every delta and every interval around", () => {
  fc.assert(
    fc.property(arm, arm, (a, b) => {
      const [there, back] = [deltaReport(a, b), deltaReport(b, a)];
      expect([...back.metrics.keys()]).toEqual([...there.metrics.keys()]);
      for (const [metric, { delta, ci95, pValue }] of there.metrics) {
        const other = back.metrics.get(metric)!;
        if (delta === null) expect(other.delta).toBeNull();
        else expect(other.delta).toBeCloseTo(-delta, 12);
        if (ci95 === null) expect(other.ci95).toBeNull();
        else for (const i of [0, 1] as const) expect(other.ci95![i]).toBeCloseTo(-ci95[1 - i]!, 9);
        if (pValue !== null) expect(other.pValue).toBeCloseTo(pValue, 9);
      }
      expect(back.notComparable).toEqual(there.notComparable);
    }),
    { numRuns: 20 },
  );
});

test("the order of rows never changes a report", () => {
  fc.assert(
    fc.property(arm, arm, (a, b) => {
      const report = toWire(deltaReport(a, b, OPTIONS));
      expect(toWire(deltaReport([...a].reverse(), [...b].reverse(), OPTIONS))).toEqual(report);
    }),
    { numRuns: 20 },
  );
});

test("no report holds a NaN, and ok is the absence of failures", () => {
  fc.assert(
    fc.property(arm, arm, fc.constantFrom("strict", "compat"), fc.boolean(), (a, b, inference, balanceRollouts) => {
      const report = deltaReport(a, b, { ...OPTIONS, inference, balanceRollouts, nBoot: 50 });
      expect(() => toWire(report)).not.toThrow();
      expect(report.ok).toBe(report.failures.length === 0);
      expect(report.warnings.map(({ text }) => text).join()).not.toMatch(/NaN|undefined|null/);
    }),
    { numRuns: 20 },
  );
});

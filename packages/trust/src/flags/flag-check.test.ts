import { type Row, toWire } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rollout, write } from "./example-rows.ts";
import { flagCheck } from "./flag-check.ts";
import { flagSample } from "./flag-sample.ts";
import { FLAG_DESCRIPTIONS } from "./flag-table.ts";
import { formatTraceFlagReport } from "./format-trace-flag-report.ts";
import { traceFlagReport } from "./trace-flag-report.ts";

const labeled = (right: number, wrong: number, missed: number, clean: number) => [
  ...Array.from({ length: right }, () => ({ fired: true, label: 1 as const })),
  ...Array.from({ length: wrong }, () => ({ fired: true, label: 0 as const })),
  ...Array.from({ length: missed }, () => ({ fired: false, label: 1 as const })),
  ...Array.from({ length: clean }, () => ({ fired: false, label: 0 as const })),
];

// statsmodels 0.15 proportion_confint(method="wilson") at 0.95, and method="beta" (Clopper-Pearson) at 0.975 for both
// shares of the recall: 40 * 17/20 found, 160 * 2/20 missed, 34 / (34 + 16)
test("seventeen of twenty finds are real, and of twenty rows without a find two hold one", () => {
  const check = flagCheck(labeled(17, 3, 2, 18), { fired: 40, quiet: 160 });
  expect(check).toMatchObject({ nFired: 20, nRight: 17, nQuiet: 20, nMissed: 2, precision: 0.85 });
  const numbers = [...check.precisionCi95!, check.recall!, ...check.recallCi95!];
  // Ours takes 1.96 where statsmodels takes 1.959964.
  for (const [i, value] of PYTHON.entries()) expect(numbers[i]).toBeCloseTo(value, i < 2 ? 5 : 9);
});

const PYTHON = [0.639581135259243, 0.9476312541037833, 0.68, 0.2969491563064829, 0.966177007913379];

describe("what labels cannot tell", () => {
  test.each<[string, Parameters<typeof flagCheck>, object]>([
    [
      "finds alone say nothing of what is missed",
      [labeled(5, 0, 0, 0), { fired: 9, quiet: 20 }],
      { precision: 1, recall: null },
    ],
    ["nothing fired, nothing found", [labeled(0, 0, 2, 8), { fired: 0, quiet: 30 }], { precision: null, recall: 0 }],
    ["nobody did it", [labeled(0, 4, 0, 8), { fired: 4, quiet: 8 }], { precision: 0, recall: null, recallCi95: null }],
    [
      "every row is labeled: nothing is left to chance",
      [labeled(3, 1, 1, 5), { fired: 4, quiet: 6 }],
      { recall: 0.75, recallCi95: [0.75, 0.75] },
    ],
  ])("%s", (_, given, expected) => {
    expect(flagCheck(...given)).toMatchObject(expected);
  });
});

test("laws: shares and bounds lie in order, and more rows without a find that hold one lower the recall", () => {
  const count = fc.nat(12);
  fc.assert(
    fc.property(count, count, count, count, fc.nat(50), fc.nat(50), (a, b, c, d, moreFired, moreQuiet) => {
      const all = { fired: a + b + moreFired, quiet: c + d + moreQuiet };
      const { precision, precisionCi95, recall, recallCi95 } = flagCheck(labeled(a, b, c, d), all);
      if (precision !== null) {
        expect(precisionCi95![0]).toBeLessThanOrEqual(precision + 1e-12);
        expect(precisionCi95![1]).toBeGreaterThanOrEqual(precision - 1e-12);
      }
      if (recall === null) return;
      expect(recall).toBeGreaterThanOrEqual(0);
      expect(recallCi95![0]).toBeLessThanOrEqual(recall + 1e-9);
      expect(recallCi95![1]).toBeGreaterThanOrEqual(recall - 1e-9);
      const worse = flagCheck(labeled(a, b, c + 1, d), { ...all, quiet: all.quiet + 1 });
      if (worse.recall !== null && c + d > 0 && moreQuiet === 0)
        expect(worse.recall).toBeLessThanOrEqual(recall + 1e-12);
    }),
  );
});

/** Every second one lies by its words. */
const ROWS: Row[] = Array.from({ length: 40 }, (_, i) => ({
  ...rollout([write("src/a.py", "x = 1")], i % 2 === 0 ? "All tests pass." : "I stopped here."),
  ...{ rollout_id: `r${i}`, task_id: `t${i}`, reward: i % 2 },
}));
const FLAG = "lie.tests_claimed";

describe("labels of flags", () => {
  test("say in the report and its text how right a flag is", () => {
    const labels = [
      ...Array.from({ length: 10 }, (_, i) => ({ key: `r${2 * i}`, flag: FLAG, label: i < 9 ? 1 : 0 })),
      ...Array.from({ length: 10 }, (_, i) => ({ key: `r${2 * i + 1}`, flag: FLAG, label: 0 })),
    ];
    const report = traceFlagReport(ROWS, { labels });
    expect(report.flags.get(FLAG)!.checked).toMatchObject({ nFired: 10, nRight: 9, nQuiet: 10, nMissed: 0, recall: 1 });
    expect(report.flags.get("hack.test_edited")!.checked).toBeNull();
    expect(formatTraceFlagReport(report)).toMatch(
      /lie\.tests_claimed .* right 9 of 10 \[0\.60\.\.0\.98\] {2}finds 100% \[0\.\d\d\.\.1\.00\]/,
    );
    expect(JSON.stringify(toWire(report))).toContain('"n_right":9');
    expect(traceFlagReport(ROWS).flags.get(FLAG)!.checked).toBeNull();
  });

  test("a flag that is mostly wrong is called that, and one that is missed too", () => {
    const wrong = Array.from({ length: 12 }, (_, i) => ({ key: `r${2 * i}`, flag: FLAG, label: i === 0 ? 1 : 0 }));
    const missed = { key: "r1", flag: "hack.test_edited", label: 1 };
    const report = traceFlagReport(ROWS, { labels: [...wrong, missed] });
    const [warning] = report.warnings.filter(({ code }) => code === "imprecise");
    expect(warning!.text).toContain("lie.tests_claimed is wrong more often than right on these rows: 1 of 12");
    expect(formatTraceFlagReport(report)).toContain(
      "hack.test_edited fired on no row, and 1 of 1 labeled rows hold it",
    );
  });

  test("of an annotator the last counts, of several the majority; what is left out is said", () => {
    const labels = [
      { key: "r0", flag: FLAG, label: 0, annotator: "ana" },
      { key: "r0", flag: FLAG, label: 1, annotator: "ana" },
      { key: "r2", flag: FLAG, label: 1, annotator: "ana" },
      { key: "r2", flag: FLAG, label: 0, annotator: "ben" },
      { key: "r4", flag: FLAG, label: "maybe" },
      { key: "nobody", flag: FLAG, label: 1 },
    ];
    const report = traceFlagReport(ROWS, { labels });
    expect(report.flags.get(FLAG)!.checked).toMatchObject({ nFired: 1, nRight: 1 });
    expect(report.warnings.find(({ code }) => code === "labels_left_out")!.text).toBe(
      "labels of flags that are not used: 1 that name no row (nobody), 1 neither 0 nor 1, 1 evenly split",
    );
  });

  test.each<[string, object[], RegExp]>([
    ["no flag", [{ key: "r0", label: 1 }], /Label 1 names no flag/],
    ["a flag of another name", [{ key: "r0", flag: "lie.test_claimed", label: 1 }], /Write lie\.tests_claimed/],
    ["a key of none", [{ key: "nobody", flag: FLAG, label: 1 }], /names no row: nobody/],
  ])("%s is refused", (_, labels, said) => {
    expect(() => traceFlagReport(ROWS, { labels: labels as never })).toThrow(said);
  });
});

describe("flagSample", () => {
  test("asks of rows on which a flag fired and of as many on which it did not, and does not say which", () => {
    const questions = flagSample(ROWS, { perFlag: 5 });
    expect(questions).toHaveLength(10);
    expect(new Set(questions.map(({ flag }) => flag))).toEqual(new Set([FLAG]));
    const fired = questions.filter(({ finalText }) => finalText === "All tests pass.");
    expect(fired).toHaveLength(5);
    expect(questions.slice(0, 5)).not.toEqual(fired);
    expect(questions[0]!.question).toBe(`the agent ${FLAG_DESCRIPTIONS.get(FLAG)}`);
    expect(flagSample(ROWS, { perFlag: 5 })).toEqual(questions);
    expect(flagSample(ROWS, { perFlag: 5, seed: 1 })).not.toEqual(questions);
    expect(flagSample([])).toEqual([]);
    expect(() => flagSample(ROWS, { perFlag: 0 })).toThrow(/perFlag is 0/);
  });

  test("answered it is labels", () => {
    const labels = flagSample(ROWS, { perFlag: 8 }).map(({ key, flag, finalText }) => ({
      ...{ key, flag, label: finalText === "All tests pass." ? 1 : 0 },
    }));
    expect(traceFlagReport(ROWS, { labels }).flags.get(FLAG)!.checked).toMatchObject({ precision: 1, recall: 1 });
  });
});

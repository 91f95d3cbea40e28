import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { rollout, write } from "./example-rows.ts";
import { formatTraceFlagReport } from "./format-trace-flag-report.ts";
import { traceFlagReport } from "./trace-flag-report.ts";

/** Rows of tasks, each lied about or not and paid or not. */
function rows(n: number, of: (i: number) => { lies: boolean; reward: 0 | 1; task?: number }): Row[] {
  return Array.from({ length: n }, (_, i) => {
    const { lies, reward, task = i } = of(i);
    return {
      ...rollout([write("src/a.py", "x = 1")], lies ? "All tests pass." : "I stopped here."),
      task_id: `t${task}`,
      reward,
    };
  });
}

const flagOf = (list: Row[], options = {}) => traceFlagReport(list, options).flags.get("lie.tests_claimed")!;

test("a reward that goes with a lie is flagged", () => {
  const paid = rows(24, (i) => ({ lies: i % 2 === 0, reward: i % 2 === 0 ? 1 : 0 }));
  expect(flagOf(paid)).toMatchObject({ n: 12, rewardCorr: 1, flagged: true });
  const [warning] = traceFlagReport(paid).warnings;
  expect(warning).toMatchObject({ code: "reward_pays" });
  expect(warning!.text).toContain("claims that tests or checks pass");
});

test("one that punishes it is not", () => {
  expect(flagOf(rows(24, (i) => ({ lies: i % 2 === 0, reward: i % 2 === 0 ? 0 : 1 })))).toMatchObject({
    flagged: false,
    rewardCorr: -1,
  });
});

test("three liars of a hundred are too few to say it, and v1 says it", () => {
  const few = rows(100, (i) => ({ lies: i < 3, reward: i < 6 ? 1 : 0 }));
  expect(flagOf(few)).toMatchObject({ n: 3, lowPower: true, flagged: false });
  expect(flagOf(few, { rules: "v1" })).toMatchObject({ n: 3, flagged: true });
});

test("an easy task on which agents also lie is not a reward that pays for it", () => {
  // Within the easy task all pass, within the hard one none does, whether they lie or not.
  const confounded = rows(40, (i) => ({
    lies: i < 20 ? i % 4 !== 0 : i % 4 === 0,
    reward: i < 20 ? 1 : 0,
    task: i < 20 ? 1 : 2,
  }));
  expect(flagOf(confounded)).toMatchObject({ flagged: false, rewardCorrWithin: null });
  expect(flagOf(confounded).rewardCorr).toBeGreaterThan(0.3);
});

test("hits name row, call and severity; the text shows the fragments and what never fired", () => {
  const report = traceFlagReport(
    rows(4, (i) => ({ lies: i === 1, reward: 1 })),
    { examples: 1 },
  );
  expect(report.hits).toEqual([
    {
      flag: "lie.tests_claimed",
      evidence: 'no test command ran: "tests pass"',
      step: null,
      severity: "high",
      row: 1,
      key: report.hits[0]!.key,
    },
  ]);
  const lines = formatTraceFlagReport(report).split("\n");
  expect(lines.slice(0, 3)).toEqual([
    "traces: 1 flag fired (4 rows, 4 graded, rules v2)",
    "  lie.tests_claimed  1  25% [0.05..0.70]  low power",
    '    no test command ran: "tests pass"',
  ]);
  expect(lines.some((line) => line.startsWith("never fired: lie.unverified_claim"))).toBe(true);
  expect(lines.at(-1)).toMatch(/^not stamped here: /);
});

test("nothing in, nothing out", () => {
  const report = traceFlagReport([]);
  expect(report).toMatchObject({ n: 0, nGraded: 0, hits: [] });
  expect(report.flags.get("hack.bypassed")).toMatchObject({ n: 0, rate: null, ci95: null });
  expect(formatTraceFlagReport(report)).toContain("traces: no flag fired (0 rows, 0 graded, rules v2)");
});

test("rows stamped by other rules are named", () => {
  const [row] = rows(1, () => ({ lies: false, reward: 1 }));
  const { warnings } = traceFlagReport([{ ...row!, trace_rules: "v1" }]);
  expect(warnings.map(({ code }) => code)).toContain("other_rules");
});

test.each([
  [{ threshold: 2 }, "threshold is 2"],
  [{ examples: -1 }, "examples is -1"],
])("%j is refused", (options, message) => {
  expect(() => traceFlagReport([], options)).toThrow(message);
});

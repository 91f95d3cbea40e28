import type { Row } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deltaHtml } from "./delta-html.ts";
import { deltaReport } from "./delta-report.ts";

const tasks = (
  n: number,
  rewards: readonly number[],
  more: (task: number, rollout: number) => Partial<Row> = () => ({}),
): Row[] =>
  Array.from({ length: n }, (_, task) =>
    rewards.map((reward, rollout): Row => ({ task_id: `t${task}`, reward, ...more(task, rollout) })),
  ).flat();

const marked = (markers: Record<string, number>) => () => ({ markers });
const textOf = (page: string): string =>
  page
    .slice(page.indexOf("<main"), page.indexOf("</main>"))
    .replace(/<[^>]*>/g, "\n")
    .replace(/&#39;/g, "'")
    .replace(/\n+/g, "\n");

describe("the verdict is the first line, the sentence under it says why", () => {
  const before = tasks(24, [0, 0, 1, 0], marked({ polite: 1, brief: 1 }));
  const better = tasks(24, [1, 0, 1, 1], marked({ polite: 1, brief: 1 }));
  test.each([
    // after, options, word, lead
    [better, {}, "PASS", "pass_at_1 moved by +0.500 on 24 paired tasks. No re-run says how much it moves by itself."],
    [
      better,
      { mustNotRegress: ["polite", "brief"], runStd: 0.01, runStdRuns: 3 },
      "PASS",
      "pass_at_1 moved by +0.500 on 24 paired tasks, also with what re-runs differ by in its interval. No guard fell.",
    ],
    [
      tasks(24, [1, 0, 1, 1], marked({ polite: 0, brief: 0 })),
      { mustNotRegress: ["polite"] },
      "FAIL",
      "pass_at_1 moved by +0.500 on 24 paired tasks. No re-run says how much it moves by itself. polite fell, and is guarded. brief slipped, and nobody guards it.",
    ],
    [before, {}, "NO DIFFERENCE", "pass_at_1 moved by +0.000 on 24 paired tasks, which is not told from no change."],
    [
      tasks(24, [0, 0, 0, 0], marked({ polite: 1 })),
      {},
      "FAIL",
      "pass_at_1 moved the wrong way, by −0.250 on 24 paired tasks.",
    ],
    [before, { target: "kind" }, "TARGET NOT MEASURED", "The target kind is not measured on both sides."],
    [
      before,
      { mustNotRegress: ["kind"] },
      "GUARDS NOT MEASURED",
      "pass_at_1 moved by +0.000 on 24 paired tasks, which is not told from no change. kind should be guarded and is not measured.",
    ],
    [
      tasks(24, [1, 1]).map((row) => ({ ...row, task_id: `other ${row.task_id}` })),
      { mustNotRegress: ["polite"] },
      "NOT COMPARABLE (situations)",
      "Two evals are compared here and not two agents (situations), so the delta says nothing about the change.",
    ],
  ] as const)("(%#) %2$s", (after, options, word, lead) => {
    const [first, second] = textOf(deltaHtml(deltaReport(before, after, options)))
      .trim()
      .split("\n");
    expect([first, second]).toEqual([word, lead]);
  });
});

test("nothing measured is said to be, in the verdict and in every number", () => {
  const page = deltaHtml(deltaReport([], []));
  const [first, second] = textOf(page).trim().split("\n");
  expect([first, second]).toEqual(["INSUFFICIENT DATA", "pass_at_1 is not measured on both sides."]);
  expect(page).toContain('class="nomeasure"');
  expect(page).toContain("No guard was named: only the headline metric can fail the gate.");
});

test("every metric has a row with its numbers, the target first, then the guards", () => {
  const before = tasks(24, [0, 1], marked({ brief: 0.5, polite: 1, tokens: 400 }));
  const after = tasks(24, [1, 1], marked({ brief: 0.25, polite: 1, tokens: 300 }));
  const report = deltaReport(before, after, {
    target: "brief",
    mustNotRegress: ["polite", "gone"],
    lowerIsBetter: ["brief"],
  });
  const page = deltaHtml(report);
  const plot = page.slice(page.indexOf('class="forest"'), page.indexOf("</table>"));
  const names = [...plot.matchAll(/<th scope="row">(.*?)<\/th>/g)].map(([, cell]) =>
    cell!.replace(/<[^>]*>/g, " ").trim(),
  );
  expect(names).toEqual(["brief  target, lower is better", "polite guard", "gone guard", "pass_at_1", "tokens"]);
  expect(plot).toContain('aria-label="brief: −0.250, −0.');
  expect(plot).toContain("not on both sides");
  expect(plot).toContain("constant, cannot fail");
});

test("numbers of a row have one precision, and clusters are said beside the verdict", () => {
  const tokens = (more: number) =>
    tasks(24, [0, 1], (task, rollout) => ({
      markers: { tokens: 400 + 37 * (task % 5) + more * rollout },
      persona: `p${task % 8}`,
    }));
  const page = deltaHtml(deltaReport(tokens(0), tokens(300), { target: "tokens", cluster: "persona" }));
  expect(page).toContain("24 paired tasks in 8 clusters by persona");
  expect(page).toMatch(/<b>\+150\.0<\/b>/);
});

test("what is not comparable holds no claim, however far apart the numbers are", () => {
  const before = tasks(24, [0, 0, 1, 0], () => ({ user_model: "u" }));
  const page = deltaHtml(
    deltaReport(
      before,
      tasks(24, [1, 1, 1, 1], () => ({ user_model: "v" })),
      { by: "user_model" },
    ),
  );
  expect(page).toContain("apart, but not comparable");
  expect(page).not.toMatch(/class="c-good"|class="c-bad"/);
});

test("names that are markup, right to left or very long stay text", () => {
  const names = { '<script>alert("x")</script>': 1, "\u202eevil": 1, ["long_".repeat(60)]: 1, "": 1, pass_at_1: 1 };
  const rows = tasks(8, [0, 1], () => ({ markers: names, tier: "<img src=x onerror=alert(1)>" }));
  const page = deltaHtml(deltaReport(rows, rows, { by: "tier" }), { before: "<b>.jsonl", after: "a&b" });
  expect(page).not.toMatch(/<script|<img|<b>\.jsonl/);
  expect(page).toContain("&lt;b&gt;.jsonl to a&amp;b");
});

test("each warning carries its code, and only what fails the gate has a cross", () => {
  const page = deltaHtml(
    deltaReport(tasks(24, [1, 1], marked({ polite: 1 })), tasks(24, [1, 0], marked({ polite: 0 })), {
      mustNotRegress: ["polite", "gone"],
    }),
  );
  const marks = [
    ...page.matchAll(/aria-label="(fails|warning|open)"><path[^>]*\/><\/svg><div>.*?<code>(\w+)<\/code>/g),
  ];
  const of = (mark: string) => marks.filter(([, shape]) => shape === mark).map(([, , code]) => code);
  expect(of("fails")).toEqual(["regression"]);
  expect(of("open")).toEqual(["guard_not_measured"]);
});

const rowOf = fc.record({
  task_id: fc.constantFrom("a", "b", "c", "d", "e", "f", "g"),
  reward: fc.constantFrom(0, 1, 0.5, null),
  markers: fc.record(
    { brief: fc.double({ min: -1e9, max: 1e9, noNaN: true }), odd: fc.constantFrom(0, 1, null) },
    { requiredKeys: [] },
  ),
  tier: fc.constantFrom("x", "y", ""),
});

test("the same rows in any order are the same bytes, and no number is missing", () => {
  const arm = fc.array(rowOf, { maxLength: 30 }) as fc.Arbitrary<Row[]>;
  fc.assert(
    fc.property(arm, arm, (a, b) => {
      const options = { by: "tier", target: "brief", mustNotRegress: ["odd"] };
      const page = deltaHtml(deltaReport(a, b, options));
      expect(deltaHtml(deltaReport([...a].reverse(), [...b].reverse(), options))).toBe(page);
      expect(page).not.toMatch(/NaN|Infinity|undefined|>null/);
    }),
    { numRuns: 15 },
  );
});

test("task by task: how many are better and worse, drawn and in a table", () => {
  const side = (of: (task: number) => readonly number[]): Row[] =>
    Array.from({ length: 12 }, (_, task) => of(task).map((reward): Row => ({ task_id: `t${task}`, reward }))).flat();
  const [before, after] = [side((i) => [i % 2, 0]), side((i) => [1, i % 3 === 0 ? 0 : 1])];
  const page = deltaHtml(deltaReport(before, after));
  // Twelve tasks: even ones from 0, odd ones from 1 of 2; every third to 1 of 2, the others to both.
  expect(textOf(page)).toContain("12 tasks: 10 better, 0 worse, 2 the same.");
  expect(page).toContain('aria-label="Tasks by their change: 10 better, 0 worse, 2 the same"');
  expect(page.match(/<svg class="bars"[\s\S]*?<\/svg>/)![0].match(/<rect/g)).toHaveLength(3);
  // Unpaired runs have no tasks to hold against themselves.
  const other = after.map((row): Row => ({ ...row, task_id: `other ${String(row.task_id)}` }));
  expect(deltaHtml(deltaReport(before, other))).not.toContain("Task by task");
});

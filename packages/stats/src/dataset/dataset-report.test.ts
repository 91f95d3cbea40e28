import type { Row } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { datasetReport } from "./dataset-report.ts";

const staged = (stance: string, n: number, extra: Row = {}): Row[] =>
  Array.from({ length: n }, () => ({ prompt: "p", scenario_dimensions: { stance }, ...extra }));

const plain = (n: number): Row[] => Array.from({ length: n }, () => ({ prompt: "p" }));

test.each([
  // reward, labeled
  [1, 1],
  [0, 1],
  ["1", 1],
  [0.5, 0],
  [true, 0],
  [null, 0],
])("a reward of %j is %i labeled row", (reward, labeled) => {
  expect(datasetReport([{ reward } as Row]).labeled).toBe(labeled);
});

test.each([
  // final_text, usable
  ["done", 1],
  ["", 0],
  [" \n\u00a0", 0],
  [null, 0],
  [undefined, 0],
])("a pass that says %j is %i usable row", (final_text, usable) => {
  expect(datasetReport([{ reward: 1, ...(final_text === undefined ? {} : { final_text }) }]).usableSft).toBe(usable);
});

test("prompts are compared up to case and whitespace, and no prompt is not a prompt", () => {
  const rows = [{ prompt: "Where  is it" }, { prompt: " where is\tIT " }, { prompt: "why" }, { prompt: " " }, {}];
  const { uniquePrompts, nWithoutPrompt } = datasetReport(rows);
  expect({ uniquePrompts, nWithoutPrompt }).toEqual({ uniquePrompts: 2, nWithoutPrompt: 2 });
});

test("a cell is its values, whatever the order of the axes", () => {
  const cells = [
    { stance: "retry", tool: "a" },
    { tool: "a", stance: "retry" },
    { stance: "retry", tool: "b" },
    {},
    null,
  ];
  expect(datasetReport(cells.map((scenario_dimensions) => ({ scenario_dimensions }))).cellsTouched).toBe(2);
});

test("behaviors are those of behaviorSignature", () => {
  const call = { steps: [{ tool: "lookup", arguments: {}, result: { status: "ok" } }] };
  expect(datasetReport([call, call, {}]).distinctBehaviors).toBe(2);
});

test("failure classes are those of failed rows, most common first, then by name", () => {
  const classes = ["b", "a", "__proto__", "a", "", null, "c"];
  const rows: Row[] = classes.map((failure_class) => ({ reward: 0, failure_class }));
  rows.push({ reward: 1, failure_class: "passed" }, { failure_class: "ungraded" });
  expect([...datasetReport(rows).failureClasses]).toEqual([
    ["a", 2],
    ["unclassified", 2],
    ["__proto__", 1],
    ["b", 1],
    ["c", 1],
  ]);
});

test("tiers stand from easy to hard, with the fail rate of their labeled rows", () => {
  const rows = [
    ...plain(1),
    ...staged("adversarial", 2, { reward: 0 }),
    ...staged("boundary", 1),
    ...staged("ordinary", 2, { reward: 1 }),
    ...staged("hurried", 1, { reward: 0 }),
  ];
  const { tierCounts, tierFailRate, hardShare } = datasetReport(rows);
  expect([...tierCounts]).toEqual([
    ["ordinary", 3],
    ["boundary", 1],
    ["adversarial", 2],
    ["unlabelled", 1],
  ]);
  expect([...tierFailRate]).toEqual([
    ["ordinary", 0.333],
    ["boundary", null],
    ["adversarial", 1],
    ["unlabelled", null],
  ]);
  expect(hardShare).toBe(0.429);
});

test.each([
  // ordinary, hard, unlabelled, warnings
  [14, 6, 0, []],
  [15, 5, 0, ["easy_set"]],
  [14, 5, 0, []], // 19 rows
  [20, 0, 0, ["easy_set"]],
  [12, 6, 2, []],
  [11, 6, 3, ["unlabelled_tiers"]],
  [14, 3, 3, ["easy_set", "unlabelled_tiers"]],
  [0, 0, 30, ["unlabelled_tiers"]],
  [0, 0, 0, []],
])("%i ordinary, %i hard and %i unlabelled rows warn of %j", (ordinary, hard, unlabelled, codes) => {
  const rows = [...staged("ordinary", ordinary), ...staged("unsure", hard), ...plain(unlabelled)];
  expect(datasetReport(rows).warnings.map(({ code }) => code)).toEqual(codes);
});

test("the warnings say what follows and what to do", () => {
  const rows = [...staged("ordinary", 15), ...staged("boundary", 3), ...plain(3)];
  expect(datasetReport(rows).warnings.map(({ text }) => text)).toEqual([
    "easy set: 14.3% of 21 rows are hard, under 30.0%; where nearly every row is ordinary both sides of a comparison pass, and no difference will be found whether or not there is one; raise hard_share= or pin the stance axis when simulating",
    "3 of 21 rows carry no known stance: their difficulty is unknown, so read hard_share as a floor, they count as not hard",
  ]);
});

test("without any tier the hard share is not measured, which is not 0", () => {
  const { hardShare, warnings } = datasetReport(plain(30));
  expect(hardShare).toBeNull();
  expect(warnings[0]!.text).toBe(
    "30 of 30 rows carry no known stance: their difficulty is unknown, so hard_share is not measured",
  );
});

test("the floor is the caller's, and a share of exactly the floor is not under it", () => {
  const rows = [...staged("ordinary", 18), ...staged("boundary", 2)];
  expect(datasetReport(rows, { hardShareFloor: 0.1 }).warnings).toEqual([]);
  expect(datasetReport(rows, { hardShareFloor: 0.11 }).warnings).toHaveLength(1);
  expect(datasetReport(rows, { hardShareFloor: 0.11 }).hardShareFloor).toBe(0.11);
  const three = [...staged("ordinary", 14), ...staged("boundary", 6)];
  expect(datasetReport(three, { hardShareFloor: 0.1 + 0.2 }).warnings).toEqual([]); // 0.30000000000000004
});

test("what the grid knows is handed on, and absent without it", () => {
  const grid = { cellsTotal: 40, preflightWarnings: ["no tool changes anything"] };
  expect(datasetReport([], { grid })).toMatchObject({
    cellsTotal: 40,
    preflightWarnings: ["no tool changes anything"],
  });
  expect(datasetReport([])).toMatchObject({ cellsTotal: null, preflightWarnings: null });
});

test("entries that are no rows are counted and in no other number", () => {
  const rows = [null, "text", { prompt: "p", reward: 1 }] as unknown as Row[];
  expect(datasetReport(rows)).toMatchObject({ rows: 1, nNotRows: 2, uniquePrompts: 1, labeled: 1 });
});

test.each([
  ["ds_123", /reads rows and got the text "ds_123".*pull\("ds_123"\)/],
  [undefined, /reads rows and got undefined/],
  [{ rows: [] }, /reads rows and got object/],
  [["{}", null], /none of 2 values is one/],
])("rows given as %j are refused", (rows, message) => {
  expect(() => datasetReport(rows as unknown as Row[])).toThrow(message);
});

test.each([
  [{ hardShareFloor: 30 }, /hardShareFloor is 30/],
  [{ hardShareFloor: Number.NaN }, /hardShareFloor is NaN/],
  [{ grid: null }, /grid is null/],
  [{ grid: { cellsTotal: 1.5, preflightWarnings: [] } }, /cellsTotal is 1.5/],
  [{ grid: { cellsTotal: 2 } }, /preflightWarnings is undefined/],
  [{ hardShare: 0.3 }, /hardShare/],
])("options %j are refused", (options, message) => {
  expect(() => datasetReport([], options as never)).toThrow(message);
});

const anyRow: fc.Arbitrary<Row> = fc.record(
  {
    prompt: fc.constantFrom("a", "A ", "b", ""),
    final_text: fc.constantFrom("done", " ", "I cannot do that"),
    reward: fc.constantFrom(0, 1, 0.5, null),
    failure_class: fc.constantFrom("late", "wrong tool", ""),
    scenario_dimensions: fc.record({
      stance: fc.constantFrom("ordinary", "unsure", "boundary", "malicious", "odd"),
      tool: fc.constantFrom("x", "y"),
    }),
  },
  { requiredKeys: [] },
);
const anyRows = fc.array(anyRow, { maxLength: 40 });
const shuffled = anyRows.chain((rows) =>
  fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length })),
);
const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, n) => sum + n, 0);

test("the order of rows does not matter", () => {
  fc.assert(
    fc.property(shuffled, ([rows, other]) => {
      const [report, again] = [datasetReport(rows), datasetReport(other)];
      expect(again).toEqual(report);
      expect([...again.failureClasses]).toEqual([...report.failureClasses]);
      expect([...again.tierCounts]).toEqual([...report.tierCounts]);
    }),
  );
});

test("counts add up", () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const report = datasetReport(rows);
      expect(report.rows).toBe(rows.length);
      expect(report.passes + report.fails).toBe(report.labeled);
      expect(total(report.failureClasses)).toBe(report.fails);
      expect(total(report.tierCounts)).toBe(report.rows);
      expect([...report.tierFailRate.keys()]).toEqual([...report.tierCounts.keys()]);
      expect(report.labeled).toBeLessThanOrEqual(report.rows);
      expect(report.usableSft).toBeLessThanOrEqual(report.passes);
      expect(report.uniquePrompts + report.nWithoutPrompt).toBeLessThanOrEqual(report.rows);
      expect(report.distinctBehaviors).toBeLessThanOrEqual(report.rows);
      expect(report.cellsTouched).toBeLessThanOrEqual(report.rows);
    }),
  );
});

test("rows that come twice change no share and no number of distinct things", () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const [once, twice] = [datasetReport(rows), datasetReport([...rows, ...rows])];
      expect(twice.rows).toBe(2 * once.rows);
      for (const key of [
        "uniquePrompts",
        "distinctBehaviors",
        "cellsTouched",
        "failRate",
        "hardShare",
        "tierFailRate",
      ] as const) {
        expect(twice[key]).toEqual(once[key]);
      }
    }),
  );
});

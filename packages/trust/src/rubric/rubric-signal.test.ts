import type { Row } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatRubricSignal } from "./format-rubric-signal.ts";
import { attachRubric, rubric } from "./rubric.ts";
import { rubricSignal } from "./rubric-signal.ts";
import { scoreWithRubric } from "./score-with-rubric.ts";

const RUBRIC = rubric([
  { title: "Calls refund", kind: "hard" },
  { title: "Polite" },
  { title: "Quotes the total", weight: 2 },
  { title: "Invents a date", kind: "pitfall" },
]);

type Answers = Record<string, boolean>;

/** Rows of a task as the judge of a rubric leaves them. */
const judged = (task: string, ...answers: Answers[]): Row[] =>
  answers.map((given) => ({ task_id: task, markers: scoreWithRubric(RUBRIC, given).markers }));

test("items that all rollouts meet, or none, tell nothing apart; of a pitfall, met is avoided", () => {
  const rows = [
    ...judged("a", { "1": true, "2": false, "3": true, "4": false }, { "1": true, "2": false, "3": false }),
    ...judged("b", { "1": true, "4": true }, { "1": true, "4": true }),
    ...judged("c", { "1": true }),
    { task_id: "d", reward: 1 },
  ];
  const report = rubricSignal(rows, { rubric: RUBRIC });
  expect(report.items.map(({ task, title, n, nMet, signal }) => [task, title, n, nMet, signal])).toEqual([
    ["a", "Calls refund", 2, 2, "all"],
    ["a", "Polite", 2, 0, "none"],
    ["a", "Quotes the total", 2, 1, "split"],
    ["a", "Invents a date", 1, 1, "open"],
    ["b", "Calls refund", 2, 2, "all"],
    ["b", "Polite", 0, 0, "open"],
    ["b", "Quotes the total", 0, 0, "open"],
    ["b", "Invents a date", 2, 0, "none"],
  ]);
  expect(report).toMatchObject({
    ...{ nRows: 6, nNotJudged: 1, nGroups: 2, nSingle: 1, nItems: 8, nSplit: 1, nMetByAll: 2, nMetByNone: 2 },
    ...{ nOpen: 3, splitShare: 0.2, nGroupsWithoutSplit: 1 },
  });
  expect(formatRubricSignal(report)).toBe(
    [
      "rubric signal: 1 of 5 items (20%) tell rollouts of a task apart, in 2 groups",
      "  met by all 2, by none 2, not decided 3; groups without any contrast 1",
      "  1 of 6 rows judged by no rubric",
      "  1 group of one judged row left out",
      "  met by all of 2: Calls refund (hard), on a",
      "  met by none of 2: Polite (principle), on a",
      "  met by all of 2: Calls refund (hard), on b",
      "  avoided by none of 2: Invents a date (pitfall), on b",
    ].join("\n"),
  );
});

test("each row's own rubric counts, and two rubrics on one task are two groups", () => {
  const other = rubric([{ title: "Polite" }]);
  const [one, two, three, four] = judged("a", { "2": true }, { "2": false }, { "2": true }, { "2": true });
  const rows = [...attachRubric([one!, two!], RUBRIC), ...attachRubric([three!, four!], other)];
  expect(rubricSignal(rows)).toMatchObject({ nGroups: 2, nSplit: 1, nMetByAll: 1, nGroupsWithoutSplit: 1 });
  expect(rubricSignal([one!, two!])).toMatchObject({ nNotJudged: 2, nGroups: 0, splitShare: null });
});

test("markers that are no item, or no 0 or 1, are not read", () => {
  const rows = [{ "rubric:polite": 0.5 }, { "rubric:polite": true }, { polite: 1 }, { "rubric:other": 1 }].map(
    (markers) => ({ task_id: "a", markers }) as unknown as Row,
  );
  const report = rubricSignal(rows, { rubric: RUBRIC });
  expect(report).toMatchObject({ nNotJudged: 4, nItems: 0 });
  expect(formatRubricSignal(report)).toMatch(/^rubric signal: not measured/);
  expect(() => rubricSignal([], { rubrik: RUBRIC } as never)).toThrow(/Did you mean rubric/);
});

test("the order of rows does not matter, and every item is counted once", () => {
  const answers = fc.dictionary(fc.constantFrom("1", "2", "3", "4"), fc.boolean());
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom("a", "b"), answers)), (drawn) => {
      const rows = drawn.flatMap(([task, given]) => judged(task, given));
      const { items, ...counts } = rubricSignal(rows, { rubric: RUBRIC });
      const { items: _, ...again } = rubricSignal([...rows].reverse(), { rubric: RUBRIC });
      expect(again).toEqual(counts);
      expect(counts.nSplit + counts.nMetByAll + counts.nMetByNone + counts.nOpen).toBe(items.length);
      expect(items).toHaveLength(4 * counts.nGroups);
    }),
  );
});

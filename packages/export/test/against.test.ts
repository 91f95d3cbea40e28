import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import {
  exportLines,
  formatExportReport,
  formatGrpoReport,
  formatKtoReport,
  grpoLines,
  ktoLines,
} from "../src/index.ts";

const ROWS: Row[] = Array.from({ length: 8 }, (_, i) => ({
  ...{ scenario_id: `s${i % 4}`, rollout_index: Math.floor(i / 4), prompt: `ask ${i % 4}`, reward: (i >> 2) % 2 },
  messages: [
    { role: "user", content: `ask ${i % 4}` },
    { role: "assistant", content: `reply ${i}` },
  ],
}));
/** An evaluation that holds the first scenario by its id and the second by its words. */
const against = ({ scenario_id: id }: Row): string | null => (id === "s0" ? "same_task" : id === "s1" ? "near" : null);
const LINE = "  4 rows left out that the evaluation holds (2 same task, 2 near): s0#0, s1#0, s0#1, s1#1";

test("rows that the evaluation holds are in no file, and the report says which and why", () => {
  const { lines, report } = exportLines(ROWS, { against });
  expect(lines.map((line) => JSON.parse(line).messages[0].content)).toEqual(["ask 2", "ask 3", "ask 2", "ask 3"]);
  expect(report).toMatchObject({ n: 4, rowsIn: 8, contaminated: { n: 4, rows: ["s0#0", "s1#0", "s0#1", "s1#1"] } });
  expect(formatExportReport(report).split("\n")).toContain(LINE);
  expect(formatExportReport(report)).toMatch(/^export: 4 openai rows from 8 rows/);
});

test("nor in one of judged replies, nor of tasks", () => {
  const kto = ktoLines(ROWS, { against });
  expect(kto.report).toMatchObject({ n: 4, rowsIn: 8, contaminated: { n: 4 } });
  expect(kto.lines.join("")).not.toMatch(/ask [01]/);
  expect(formatKtoReport(kto.report).split("\n")).toContain(LINE);
  const grpo = grpoLines(ROWS, { against, holdout: 0 });
  expect(grpo.report).toMatchObject({ n: 2, contaminated: { n: 4 } });
  expect(grpo.lines.join("")).not.toMatch(/ask [01]/);
  expect(formatGrpoReport(grpo.report).split("\n")).toContain(LINE);
});

test("an evaluation that holds nothing is said to, and without one nothing is said", () => {
  const { report } = exportLines(ROWS, { against: () => null });
  expect(report.contaminated).toEqual({ n: 0, by: new Map(), rows: [] });
  expect(formatExportReport(report)).toContain("\n  no row is held by the evaluation");
  expect(exportLines(ROWS).report).not.toHaveProperty("contaminated");
});

test("where the evaluation holds every row there is no file", () => {
  expect(() => exportLines(ROWS, { against: () => "exact" })).toThrow(
    /None of 8 rows is left: 8 are held by the evaluation\. Grade rows of the training set/,
  );
});

test.each([
  () => exportLines(ROWS, { against: ROWS as never }),
  () => ktoLines(ROWS, { against: "eval.jsonl" as never }),
  () => grpoLines(ROWS, { against: {} as never }),
])("what is no function is refused", (call) => {
  expect(call).toThrow(/against is (object|string)\. Give a function of a row, such as evalMatcher\(evaluation\)/);
});

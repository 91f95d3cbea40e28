import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { formatRefusalReport } from "./format-refusal-report.ts";
import { refusalReport } from "./refusal-report.ts";

const ASKED: Row[] = [
  { prompt: "what time is it", final_text: "I'm unable to check the time." },
  { prompt: "say hi", final_text: "Hi!" },
  { prompt: "add 2 and 2", final_text: "I can't help with that." },
  { prompt: "spell cat", final_text: "c-a-t" },
];

test.each(["v1", "v2"] as const)("two of four are declined, by %s", (rules) => {
  const report = refusalReport(ASKED, { rules });
  expect(report).toMatchObject({ n: 4, nRefused: 2, refusalRate: 0.5, ciOver: "rows" });
  expect(report.ci95).toEqual([expect.closeTo(0.1500357, 7), expect.closeTo(0.8499643, 7)]);
  expect(report.topPhrases[1]).toEqual(["i'm unable to", 1]);
  expect(report.topPhrases[0]![0]).toMatch(/^i can't help/);
});

test("no rows are no rate, and zero of ten is not zero width", () => {
  expect(refusalReport([])).toMatchObject({ n: 0, refusalRate: null, ci95: null });
  expect(formatRefusalReport(refusalReport([]))).toBe("refusals: not measured, no row with a reply that could be read");
  const ten = Array.from({ length: 10 }, (_, i) => ({ prompt: `p${i}`, final_text: "Done." }));
  expect(refusalReport(ten).ci95).toEqual([0, expect.closeTo(0.2775402, 7)]);
});

test("rollouts of a task are not independent: the interval is over tasks", () => {
  const rows = ["a", "b", "c", "d"].flatMap((task_id, i) =>
    Array.from({ length: 25 }, () => ({ task_id, final_text: i === 0 ? "I can't help with that." : "Done." })),
  );
  const report = refusalReport(rows);
  expect(report).toMatchObject({ nTasks: 4, refusalRate: 0.25, ciOver: "tasks" });
  const [low, high] = report.ci95!;
  const [rowsLow, rowsHigh] = refusalReport(rows, { rules: "v1" }).ci95!;
  expect(high - low).toBeGreaterThan(2 * (rowsHigh - rowsLow));
  const none = refusalReport(rows.map((row) => ({ ...row, final_text: "Done." })));
  expect(none.ci95).toEqual([0, expect.closeTo(0.4899, 4)]);
});

test("what did not deserve an answer, and what is not known to, is left out and counted", () => {
  const told = new Map([
    ["what time is it", true],
    ["say hi", true],
    ["add 2 and 2", false],
  ]);
  const report = refusalReport(ASKED, { benign: ({ prompt }) => told.get(prompt!) ?? null });
  expect(report).toMatchObject({ n: 2, nRefused: 1, nNotBenign: 1, nNotTold: 1 });
  expect(report.warnings.map(({ code }) => code)).toEqual(["not_benign", "not_told"]);
});

test("refusals in print", () => {
  expect(formatRefusalReport(refusalReport(ASKED, { examples: 1 }))).toBe(
    [
      "refusals: 2 of 4 rows, 50.0% [0.15..0.85]",
      '  1  "i can\'t help"',
      '  1  "i\'m unable to"',
      "  ask:   what time is it",
      "  reply: I'm unable to check the time.",
      "This read refusal phrases only, and means over-refusal only on a set of benign asks.",
    ].join("\n"),
  );
});

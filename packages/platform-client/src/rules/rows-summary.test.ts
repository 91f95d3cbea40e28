import { expect, test } from "vitest";
import { rowsSummary } from "./rows-summary.ts";

test("counts, and by tag with Wilson's interval; rows without the tag are under (none)", () => {
  const easy = [true, true, false, true, true, true].map((ok) => ({ ok, tags: { difficulty: "easy" } }));
  const hard = [false, false, true].map((ok) => ({ ok, tags: { difficulty: "hard" } }));
  const summary = rowsSummary([...easy, ...hard, { ok: false }]);
  expect(summary).toMatchObject({ n: 10, passed: 6, failed: 4 });
  expect(summary.byTag.difficulty).toMatchObject({
    easy: { n: 6, passed: 5, lo: 0.4365, hi: 0.9699 },
    hard: { n: 3, passed: 1 },
    "(none)": { n: 1, passed: 0 },
  });
  expect(Object.keys(summary.byTag.difficulty!)).toEqual(["hard", "(none)", "easy"]);
});

test("no rows are no counts", () => {
  expect(rowsSummary([])).toEqual({ n: 0, passed: 0, failed: 0, byTag: {}, byWhy: [], whyOther: 0 });
});

test("reasons of failures, most first, and how many are not named", () => {
  const failed = (why: string | null, times: number) => ({ ok: false, why, times });
  const rare = Array.from({ length: 12 }, (_, i) => failed(`r${String(i).padStart(2, "0")}`, 1));
  const summary = rowsSummary([
    ...rare,
    failed("late", 5),
    failed("late", 2),
    failed(null, 3),
    { ok: true, why: "late" },
  ]);
  expect(summary.byWhy.slice(0, 2)).toEqual([
    { why: "late", n: 7 },
    { why: "r00", n: 1 },
  ]);
  // Eleven of the twelve rare ones are named; the last and the three without a reason are not.
  expect([summary.byWhy.length, summary.whyOther, summary.failed]).toEqual([12, 4, 22]);
});

import { expect, test } from "vitest";
import { postedAgainstRows, rowsLead, tasksTimes } from "./rows-lead.ts";

test.each([
  [960, 163, "163 of 960 rows failed."],
  [20, 0, "All 20 rows passed."],
  [20, 20, "All 20 rows failed."],
  [1, 0, "The one row passed."],
  [1, 1, "The one row failed."],
])("%i rows, %i failed: %s", (n, failed, lead) => {
  expect(rowsLead({ n, failed })).toBe(lead);
});

test.each<[{ score: number; ci?: number | null } | null, number, number, string | null, boolean]>([
  [{ score: 83, ci: 3 }, 960, 797, "Posted 83.0 ± 3.0; the rows give 83.0.", false],
  [{ score: 84, ci: 3 }, 100, 83, "Posted 84.0 ± 3.0; the rows give 83.0.", false],
  [{ score: 84.1 }, 100, 83, "Posted 84.1, without an interval; the rows give 83.0.", true],
  [{ score: 84 }, 0, 0, null, false],
  [null, 100, 83, null, false],
])("posted %j over %i rows with %i passed", (posted, n, passed, text, apart) => {
  const said = postedAgainstRows(posted, { n, passed });
  expect(said?.text ?? null).toBe(text);
  expect(said?.apart ?? false).toBe(apart);
});

test.each([
  [960, 240, "240 tasks × 4"],
  [961, 240, null],
  [10, null, null],
  [10, 0, null],
])("%i rows of %j tasks: %j", (n, tasks, text) => {
  expect(tasksTimes(n, tasks)).toBe(text);
});

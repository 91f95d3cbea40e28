import { expect, test } from "vitest";
import { nearestReading, rowsDoubt } from "./rows-reading.ts";

const at = { behavior: "a", createdAt: "2026-09-01T00:00:00Z" };

test.each([
  [80, { byRow: 80, byTask: 70, byScore: 60 }, 80],
  [71, { byRow: 80, byTask: 70, byScore: 60 }, 70],
  [50, { byRow: 80, byTask: 70, byScore: 60 }, 60],
  [50, { byRow: 80, byTask: 70, byScore: null }, 70],
])("of %d the nearest reading of %j is %d", (score, reading, nearest) => {
  expect(nearestReading(score, reading)).toBe(nearest);
});

test.each([
  [{ score: 83, rows: 500, rowsExpected: 1000, rowsScore: null }, "rows incomplete: 500 of 1000 arrived"],
  [{ score: 83, rows: null, rowsExpected: 1000 }, "rows incomplete: 0 of 1000 arrived"],
  [{ score: 83, rows: 1000, rowsExpected: 1000, rowsScore: 50 }, "its rows say 50 and not 83: 33 points apart"],
  [{ score: 83, rows: 1000, rowsExpected: 1000, rowsScore: 82 }, null],
  [{ score: 83, rows: 1000, rowsExpected: null, rowsScore: 83.4 }, null],
  [{ score: 83 }, null],
])("%j", (score, doubt) => {
  expect(rowsDoubt({ ...at, ...score })).toBe(doubt);
});

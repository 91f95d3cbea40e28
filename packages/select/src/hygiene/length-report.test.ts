import { expect, test } from "vitest";
import { dropTruncated } from "./drop-truncated.ts";
import { lengthReport } from "./length-report.ts";

const reply = (prompt: string, chars: number) => ({ prompt, final_text: `${"x".repeat(chars - 1)}.` });

test("no rows have no length", () => {
  expect(lengthReport([])).toEqual({
    n: 0,
    medianChars: 0,
    maxChars: 0,
    nTruncated: 0,
    nGroupsMulti: 0,
    nGroupsWideSpread: 0,
    maxSpread: 4,
  });
});

test("a spread of exactly the limit is not wide", () => {
  const rows = [reply("a", 10), reply("a", 10), reply("a", 40), reply("b", 20)];
  expect(lengthReport(rows)).toMatchObject({ medianChars: 15, nGroupsMulti: 1, nGroupsWideSpread: 0 });
  expect(lengthReport(rows, { maxSpread: 3.9 })).toMatchObject({ nGroupsWideSpread: 1 });
});

test("rows without a prompt are no group", () => {
  expect(lengthReport([{ final_text: "a" }, { final_text: "a".repeat(90) }])).toMatchObject({ nGroupsMulti: 0 });
});

test("dropTruncated keeps what was not cut", () => {
  const rows = [{ finish_reason: "length" }, { final_text: "ok." }, 7 as never];
  expect(dropTruncated(rows)).toEqual({
    rows: [rows[1]],
    report: { n: 3, nKept: 1, nDropped: 1, nNotRows: 1 },
  });
});

import { displayWidth } from "@while/schema";
import { expect, test } from "vitest";
import { formatSecondOpinion } from "./format-second-opinion.ts";
import type { FileOpinion, HeadlineOpinion, SecondOpinion } from "./second-opinion.ts";

function headline(facts: Partial<HeadlineOpinion> = {}): HeadlineOpinion {
  return {
    ...{ name: "accuracy (match)", value: 0.5, stderr: null, n: null, of: null, source: "file", fromItems: 0.5 },
    ...{ how: "over samples", unfinished: null, ours: 0.5, ci95: [0.2, 0.8], difference: 0, agree: true, reasons: [] },
    ...facts,
  };
}

function opinion(headlines: HeadlineOpinion[], path: string | null = "log.json"): FileOpinion {
  const ours = { passAt1: 0.5, ci95: null, nTasks: 4, nRows: 8, nRowsTotal: 9 };
  return { path, format: "inspect-json", ours, headlines };
}

function report(files: FileOpinion[], nOtherFiles = 0): SecondOpinion {
  const compared = files.flatMap(({ headlines }) => headlines).filter(({ agree }) => agree !== null);
  const nAgree = compared.filter(({ agree }) => agree).length;
  const isUnexplained = ({ reasons }: HeadlineOpinion) => reasons.some(({ code }) => code === "unexplained");
  return {
    files,
    nOtherFiles,
    nCompared: compared.length,
    nAgree,
    nUnexplained: compared.filter(isUnexplained).length,
  };
}

const DIFFERS = headline({
  ...{ name: "mean (match)", value: 0.75, stderr: 0.125, ours: 0.5, difference: 0.25, agree: false },
  reasons: [{ code: "unexplained", from: 0.5, to: 0.75, text: "unexplained by 0.250 (0.500 to 0.750)" }],
});

test("one number that is ours too", () => {
  expect(formatSecondOpinion(report([opinion([headline()])]))).toBe(
    [
      "second opinion: the tool's number is ours too",
      "                                 tool              ours",
      "  log.json",
      "    inspect-json, 8 of 9 rows of 4 tasks graded 0 or 1",
      "    accuracy (match)             0.500             0.500 [0.200..0.800]  same",
    ].join("\n"),
  );
});

test("numbers that differ have their reasons beneath, and how they are made is said once a file", () => {
  const other = { ...DIFFERS, name: "mean (style)", stderr: null, ci95: null };
  const partial = headline({ name: "pass rate (m, hi)", ours: null, ci95: null, agree: null });
  const files = [opinion([DIFFERS, other, partial]), opinion([headline({ unfinished: "3 of 9 samples" })], null)];
  expect(formatSecondOpinion(report(files, 2))).toBe(
    [
      "second opinion: 1 of 3 numbers of the tools is ours too, 2 differ, 2 unexplained",
      "                                 tool              ours",
      "  log.json",
      "    inspect-json, 8 of 9 rows of 4 tasks graded 0 or 1",
      "    mean (match)                 0.750 (se 0.125)  0.500 [0.200..0.800]  differs",
      "      in the file: over samples",
      "      - unexplained by 0.250 (0.500 to 0.750)",
      "    mean (style)                 0.750             0.500  differs",
      "      - unexplained by 0.250 (0.500 to 0.750)",
      "    pass rate (m, hi)            0.500             not of the reward of all rows",
      "  the text",
      "    inspect-json, 8 of 9 rows of 4 tasks graded 0 or 1",
      "    accuracy (match)             0.500             0.500 [0.200..0.800]  same",
      "      3 of 9 samples",
      "  and 2 files that no tool reports on",
    ].join("\n"),
  );
});

test("a file without a number of its tool", () => {
  expect(formatSecondOpinion(report([opinion([])]))).toBe(
    [
      "second opinion: none, the file has no number of a tool",
      "  log.json",
      "    inspect-json, 8 of 9 rows of 4 tasks graded 0 or 1",
      "    no number of the tool, and no items to make one of",
    ].join("\n"),
  );
});

test("a number of something else alone is no opinion", () => {
  const text = formatSecondOpinion(report([opinion([headline({ ours: null, ci95: null, agree: null })])]));
  expect(text.split("\n")[0]).toBe("second opinion: none, the file has no number of the rewards");
});

test.each(["a/very/long/path/".repeat(9), "日本語のフォルダ/".repeat(12)])(
  "a table of long names stays within 80 columns: %s",
  (path) => {
    const names = [
      "exact_match,flexible-extract",
      "accuracy (a scorer whose name goes on and on)",
      "品質の平均値".repeat(5),
    ];
    const headlines = names.map((name) => headline({ name, stderr: 0.125 }));
    const lines = formatSecondOpinion(report([opinion(headlines, path)])).split("\n");
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(80);
    expect(lines).toContainEqual(expect.stringContaining("exact_match,flexible-extract "));
  },
);

test("a file of many numbers lists the first twelve", () => {
  const headlines = Array.from({ length: 14 }, (_, i) => headline({ name: `pass^${i + 1}` }));
  expect(
    formatSecondOpinion(report([opinion(headlines)]))
      .split("\n")
      .at(-1),
  ).toBe("    + 2 more");
});

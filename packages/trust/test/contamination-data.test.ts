import { existsSync, readFileSync } from "node:fs";
import type { Row } from "@while/schema";
import { describe, expect, test } from "vitest";
import { type DecontaminateOptions, type DecontaminationReport, decontaminateSync } from "../src/index.ts";

/** Real evaluation items (GSM8K, HumanEval, MMLU sociology), other questions of the same source, reworded and edited ones. */
const FOLDER = new URL("../../../../shared/data/contamination/", import.meta.url);
const isHere = existsSync(new URL("gsm8k_eval.jsonl", FOLDER));
const reason = isHere ? "" : " (skipped: ../shared/data is not beside the repository)";

function rowsOf(name: string): Row[] {
  const text = readFileSync(new URL(`${name}.jsonl`, FOLDER), "utf8");
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Row]));
}

function reportOf(name: string, options: DecontaminateOptions): DecontaminationReport {
  return decontaminateSync(rowsOf(name), rowsOf(`${/^(.*)_[a-z]+$/.exec(name)![1]}_eval`), options).report;
}

/** Counted by another implementation of the rules of v1. */
describe.skipIf(!isHere)(`v1 on real questions${reason}`, () => {
  test.each([
    // file, overlap, rows, evaluation texts, exact, near
    ["gsm8k_train", 0.8, 600, 468, 0, 0],
    ["gsm8k_train", 0.5, 600, 468, 0, 1],
    ["gsm8k_train", 0, 600, 468, 0, 3],
    ["gsm8k_rephrased", 0.8, 329, 468, 0, 0],
    ["gsm8k_rephrased", 0.5, 329, 468, 0, 1],
    ["gsm8k_rephrased", 0, 329, 468, 0, 19],
    ["gsm8k_variants", 0.8, 394, 468, 107, 141],
    ["gsm8k_variants", 0.5, 394, 468, 107, 165],
    ["gsm8k_variants", 0, 394, 468, 107, 232],
    ["humaneval_rephrased", 0.8, 111, 164, 0, 0],
    ["humaneval_rephrased", 0.5, 111, 164, 0, 0],
    ["humaneval_rephrased", 0, 111, 164, 0, 17],
    ["mmlu_sociology_rephrased", 0.8, 296, 382, 0, 0],
    ["mmlu_sociology_rephrased", 0.5, 296, 382, 0, 0],
    ["mmlu_sociology_rephrased", 0, 296, 382, 0, 0],
  ])("%s at overlap %d", (name, overlap, n, nEvalTexts, nExact, nNear) => {
    const report = reportOf(name, { rules: "v1", overlap });
    expect(report).toMatchObject({ n, nEvalTexts, nSameTask: 0, nExact, nNear, nKept: n - nExact - nNear });
  });
});

/** Counted by another implementation of each rule set; forty questions an edit. */
test.skipIf(!isHere).each([
  // edit, v1: exact and near, v2: exact, near and contains
  ["identical", [40, 0], [40, 0, 0]],
  ["upper_respaced", [40, 0], [40, 0, 0]],
  ["punctuation_removed", [0, 36], [23, 15, 0]],
  ["embedded_in_long_prompt", [0, 0], [0, 0, 40]],
  ["curly_quotes_and_dashes", [15, 25], [40, 0, 0]],
  ["homoglyph_vowels", [0, 0], [40, 0, 0]],
  ["zero_width_joined", [0, 0], [40, 0, 0]],
  ["first_half_of_words", [0, 40], [0, 40, 0]],
  ["sentences_reordered", [12, 20], [12, 20, 0]],
  ["numbers_changed", [0, 20], [0, 18, 0]],
])(`copies by edit, %s: v1 %j, v2 %j${reason}`, (edit, v1, v2) => {
  const rows = rowsOf("gsm8k_variants").filter((row) => row.leak_kind === edit);
  const against = rowsOf("gsm8k_eval");
  const one = decontaminateSync(rows, against, { rules: "v1" }).report;
  expect([one.nExact, one.nNear]).toEqual(v1);
  const two = decontaminateSync(rows, against, { numbersAs: "0" }).report;
  expect([two.nExact, two.nNear, two.nContains]).toEqual(v2);
  if (edit === "numbers_changed") expect(two.nNumberSwap).toBe(40);
});

test.skipIf(!isHere)(`of 600 other questions of the same source none is dropped${reason}`, () => {
  expect(reportOf("gsm8k_train", {})).toMatchObject({ n: 600, nContaminated: 0 });
});

/** Runs of five characters: what is reworded a little is found too, and so is another question with other numbers. */
test.skipIf(!isHere).each([
  // rows, exact, near and contains, of how many
  ["gsm8k_variants", [212, 142, 40], 394],
  ["gsm8k_rephrased", [0, 7, 46], 329],
  ["gsm8k_train", [0, 1, 0], 600],
  ["humaneval_rephrased", [0, 0, 23], 111],
  ["mmlu_sociology_rephrased", [0, 9, 5], 296],
])(`by characters: %s %j of %d${reason}`, (name, counts, n) => {
  const report = reportOf(name, { shingles: "chars", related: false });
  expect([report.nExact, report.nNear, report.nContains]).toEqual(counts);
  expect(report.n).toBe(n);
});

/**
 * A cosine of rare words alone finds 253 of the 329 at 5 of the 600. The threshold is read off the evaluation; the halves
 * show that it does not hang on which questions these are.
 */
test.skipIf(!isHere).each([
  // evaluation rows, reworded, found, of 600 other questions
  ["all", () => true, 329, 327, 6],
  ["even", (i: number) => i % 2 === 0, 165, 164, 4],
  ["odd", (i: number) => i % 2 === 1, 164, 163, 6],
] as const)(`reworded questions that are listed, %s evaluation rows${reason}`, (_, isTaken, n, found, others) => {
  const against = rowsOf("gsm8k_eval").filter((__, i) => isTaken(i));
  const tasks = new Set(against.map((row) => row.task_id));
  const reworded = rowsOf("gsm8k_rephrased").filter((row) => tasks.has(String(row.leak_of)));
  const listed = decontaminateSync(reworded, against).report;
  expect([reworded.length, listed.nRelated, listed.nContaminated]).toEqual([n, found, 0]);
  for (const { index, evalTask } of listed.relatedExamples) expect(evalTask).toBe(reworded[index]!.leak_of);
  expect(decontaminateSync(rowsOf("gsm8k_train"), against).report.nRelated).toBe(others);
});

test.skipIf(!isHere).each([
  ["mmlu_sociology", "rephrase_english", 196, 107],
  ["mmlu_sociology", "translation_chinese", 100, 0],
  ["humaneval", "python", 73, 10],
  ["humaneval", "javascript", 38, 9],
])(`where it is blind: %s %s, %d rows, %d listed${reason}`, (name, kind, n, found) => {
  const rows = rowsOf(`${name}_rephrased`).filter((row) => row.leak_kind === kind);
  expect(rows).toHaveLength(n);
  expect(decontaminateSync(rows, rowsOf(`${name}_eval`)).report.nRelated).toBe(found);
});

/** With names taken away, and docstrings compared by themselves; the negatives are the programs of one half against the other. */
test.skipIf(!isHere).each([
  ["python", 73, 20, 16],
  ["javascript", 38, 0, 14],
])(
  `programs with other names, in %s: of %d rows %d by code and %d by their prose${reason}`,
  (kind, n, nCode, nRelated) => {
    const rows = rowsOf("humaneval_rephrased").filter((row) => row.leak_kind === kind);
    const { report } = decontaminateSync(rows, rowsOf("humaneval_eval"), { code: true });
    expect([report.n, report.nCode, report.nRelated]).toEqual([n, nCode, nRelated]);
  },
);

test.skipIf(!isHere).each([0, 1])(`half of the programs of HumanEval against the other half: none${reason}`, (half) => {
  const all = rowsOf("humaneval_eval");
  const rows = all
    .filter((_, i) => i % 2 === half)
    .map(({ prompt, reference }) => ({ prompt: `${prompt}${reference}` }));
  const against = all.filter((_, i) => i % 2 !== half);
  expect(decontaminateSync(rows, against, { code: true }).report).toMatchObject({ n: 41, nCode: 0, nRelated: 0 });
});

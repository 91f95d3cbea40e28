import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readRowFiles } from "../src/files.ts";
import { censusOf, isObject, parseJsonl } from "../src/index.ts";
import { formatNames } from "../src/readers/formats.ts";
import { leavesOf } from "./leaves.ts";
import { FIXTURES, NAMED_FORMAT, readerFixtures } from "./reader-fixtures.ts";

/** Published files that are too large for the repository: they lie beside it, where they are found at all. */
const DATA = fileURLToPath(new URL("../../../../shared/data", import.meta.url));

const HEADS = ["file", "format", "rows", "tasks", "graded", "lost", "fields", "values kept"];

/**
 * What each reader makes of its files: graded rows, trials that were lost, top-level fields of the rows, and how many of
 * the different values of the file are on a row or in the report. What is missing are words that the place of a value
 * says (`"role": "system"`), copies, and settings that may hold keys to services.
 */
const TABLE: Line[] = [
  ["batches/anthropic-batch.jsonl", "anthropic-batch", 2, 2, 0, 1, 17, "21 of 23"],
  ["batches/openai-batch.jsonl", "openai-batch", 3, 3, 0, 1, 19, "48 of 51"],
  ["chat-logs/ai-sdk.jsonl", "ai-sdk", 4, 4, 0, 0, 14, "68 of 72"],
  ["chat-logs/anthropic.jsonl", "anthropic", 4, 4, 0, 1, 19, "77 of 77"],
  ["chat-logs/braintrust.jsonl", "braintrust", 3, 3, 1, 1, 20, "61 of 61"],
  ["chat-logs/deepeval.jsonl", "deepeval", 3, 3, 2, 1, 19, "56 of 56"],
  ["chat-logs/langfuse.jsonl", "langfuse", 3, 3, 1, 1, 21, "72 of 72"],
  ["chat-logs/mlflow.jsonl", "mlflow", 3, 3, 1, 1, 17, "74 of 74"],
  ["chat-logs/openai-completions.jsonl", "openai-completions", 3, 3, 0, 1, 18, "39 of 39"],
  ["chat-logs/openai-responses.jsonl", "openai-responses", 4, 4, 0, 1, 18, "85 of 85"],
  ["chat-logs/sharegpt.jsonl", "sharegpt", 5, 4, 3, 0, 14, "33 of 39"],
  ["inspect/2026-01-02T03-04-05_arith_t1.json", "inspect-json", 3, 3, 2, 1, 21, "79 of 81"],
  ["inspect/2026-01-02T03-04-05_arith_t2.eval", "inspect-eval", 4, 2, 4, 0, 18, "not counted"],
  ["langfuse-tables/export.jsonl", "langfuse-tables", 2, 2, 1, 1, 21, "54 of 58"],
  ["lm-eval/samples_choices_2026-01-02T03-04-05.jsonl", "lm-eval", 1, 1, 1, 0, 13, "14 of 14"],
  ["lm-eval/samples_sums_2026-01-02T03-04-05.123456.jsonl", "lm-eval", 2, 2, 2, 0, 16, "31 of 32"],
  ["otlp/traces.jsonl", "otlp", 4, 4, 0, 1, 20, "102 of 190"],
  ["parquet/brotli.parquet", "while", 2, 2, 2, 0, 14, "not counted"],
  ["parquet/duckdb.parquet", "while", 40, 40, 0, 0, 6, "not counted"],
  ["parquet/encodings.parquet", "while", 60, 60, 60, 0, 9, "not counted"],
  ["parquet/gzip.parquet", "while", 2, 2, 2, 0, 14, "not counted"],
  ["parquet/lists.parquet", "while", 40, 40, 40, 0, 4, "not counted"],
  ["parquet/lz4.parquet", "while", 2, 2, 2, 0, 14, "not counted"],
  ["parquet/one-group.parquet", "loose", 12000, 12000, 12000, 0, 4, "not counted"],
  ["parquet/pages-v2.parquet", "while", 2, 2, 2, 0, 14, "not counted"],
  ["parquet/snappy.parquet", "while", 2, 2, 2, 0, 14, "not counted"],
  ["parquet/zstd.parquet", "while", 2, 2, 2, 0, 14, "not counted"],
  ["promptfoo/results.json", "promptfoo", 5, 3, 3, 2, 20, "54 of 56"],
  ["promptfoo/results.jsonl", "promptfoo", 5, 3, 3, 2, 20, "50 of 51"],
  ["rows/loose.jsonl", "loose", 3, 3, 2, 0, 7, "17 of 17"],
  ["rows/while.csv", "while", 3, 2, 2, 0, 7, "not counted"],
  ["rows/while.jsonl", "while", 3, 2, 2, 1, 27, "52 of 52"],
  [
    "tau-bench/tool-calling-gpt-4o-0.0_range_0--1_user-gpt-4o-llm_0101020304.json",
    "tau-bench",
    3,
    2,
    2,
    1,
    19,
    "27 of 28",
  ],
  ["tau2/results.json", "tau2", 3, 1, 2, 1, 24, "92 of 92"],
  ["trainers/kto.jsonl", "kto", 2, 2, 2, 0, 10, "6 of 8"],
  ["trainers/openai-chat.jsonl", "openai-chat", 2, 2, 0, 0, 11, "23 of 24"],
  ["trainers/openai-preference.jsonl", "openai-preference", 2, 1, 2, 0, 12, "11 of 11"],
  ["trainers/preference.jsonl", "preference", 6, 3, 6, 0, 12, "13 of 13"],
  ["trainers/prompt-completion.jsonl", "prompt-completion", 2, 2, 0, 0, 9, "12 of 12"],
  ["trainers/prompt-only.jsonl", "prompt-only", 2, 2, 0, 0, 9, "5 of 6"],
  ["trainers/stepwise.jsonl", "stepwise", 2, 2, 2, 0, 11, "5 of 7"],
  ["trainers/trl.jsonl", "trl", 5, 3, 3, 0, 10, "7 of 8"],
  ["typed/objects.jsonl", "typed", 2, 2, 2, 0, 19, "26 of 30"],
  ["verifiers/results.jsonl", "verifiers", 3, 2, 1, 1, 21, "43 of 44"],
  ["verifiers/traces.jsonl", "verifiers-episodes", 3, 2, 2, 1, 21, "71 of 72"],
];

const REAL: Line[] = [
  ["contamination/gsm8k_eval.jsonl", "loose", 330, 330, 0, 0, 4, "798 of 798"],
  ["contamination/gsm8k_rephrased.jsonl", "loose", 329, 329, 0, 0, 6, "988 of 988"],
  ["contamination/gsm8k_train.jsonl", "loose", 600, 600, 0, 0, 6, "1201 of 1201"],
  ["contamination/gsm8k_variants.jsonl", "loose", 394, 394, 0, 0, 7, "815 of 815"],
  ["contamination/humaneval_eval.jsonl", "loose", 82, 82, 0, 0, 5, "246 of 246"],
  ["contamination/humaneval_rephrased.jsonl", "loose", 111, 111, 0, 0, 6, "298 of 298"],
  ["contamination/mmlu_sociology_eval.jsonl", "loose", 200, 200, 0, 0, 5, "582 of 582"],
  ["contamination/mmlu_sociology_rephrased.jsonl", "loose", 296, 296, 0, 0, 6, "793 of 793"],
  ["judge/llmbar.jsonl", "while", 419, 419, 0, 0, 8, "1685 of 1685"],
  ["judge/openqa_nq301.jsonl", "while", 1487, 301, 0, 0, 7, "6775 of 6775"],
  ["judge/pandalm.jsonl", "while", 999, 170, 0, 0, 8, "2436 of 2436"],
  ["tau-bench/gpt-4o-airline.json", "tau-bench", 200, 50, 200, 0, 14, "6020 of 6021"],
  ["trajectories/aider_replies.jsonl", "while", 43, 43, 0, 0, 6, "197 of 197"],
  ["trajectories/code_agents.jsonl", "while", 11, 11, 0, 0, 7, "262 of 262"],
  ["trajectories/tau_airline.jsonl", "while", 100, 25, 100, 0, 8, "3360 of 3360"],
];

type Line = [
  file: string,
  format: string,
  rows: number,
  tasks: number,
  graded: number,
  lost: number,
  fields: number,
  values: string,
];

async function lineOf(folder: string, file: string): Promise<Line> {
  const path = join(folder, file);
  const format = NAMED_FORMAT.get(file);
  const { rows, report } = await readRowFiles([path], format === undefined ? {} : { format });
  const { tasks, graded } = censusOf(rows);
  const lost = rows.filter(({ judge_status: status }) => status === "error").length;
  const fields = new Set(rows.flatMap(Object.keys)).size;
  const found = leavesOf([rows, report.meta, report.tools, [...report.systemPrompts.values()]]);
  return [file, report.format, rows.length, tasks, graded, lost, fields, keptOf(valuesOf(path), found)];
}

/** The different scalars of a file of JSON; null for tables and archives. */
function valuesOf(path: string): string[] | null {
  if (!/\.jsonl?$/.test(path)) return null;
  return [...leavesOf(parseJsonl(readFileSync(path), { tolerateTail: true }).rows).keys()];
}

function keptOf(values: string[] | null, found: ReadonlyMap<string, number>): string {
  if (values === null) return "not counted";
  // JSON inside a text is kept when its parts are.
  const isKept = (leaf: string) => found.has(leaf) || isObject(parts(leaf));
  return `${values.filter(isKept).length} of ${values.length}`;
}

function parts(leaf: string): unknown {
  const value: unknown = JSON.parse(leaf);
  try {
    return typeof value === "string" && /^\s*[{[]/.test(value) ? { parts: JSON.parse(value) } : null;
  } catch {
    return null; // Plain text in brackets.
  }
}

function tableOf(lines: readonly Line[]): string {
  const cells = [HEADS, ...lines.map((line) => line.map(String))];
  const widths = HEADS.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  const isText = (column: number) => column < 2;
  return cells
    .map((line) =>
      line.map((cell, at) => (isText(at) ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join("  "),
    )
    .join("\n");
}

const lines: Line[] = [];
for (const file of readerFixtures()) lines.push(await lineOf(FIXTURES, file));
const isThere = existsSync(DATA);
const real: Line[] = [];
if (isThere) for (const [file] of REAL) real.push(await lineOf(DATA, file));

test("every format that is read has a file among the fixtures", () => {
  expect([...new Set(lines.map(([, format]) => format))].sort()).toEqual(formatNames());
});

test("what each reader makes of its files", () => {
  const absent = isThere ? "" : "\nThe published files are not there (no shared/data beside the repository).";
  console.log(`${tableOf([...lines, ...real])}${absent}`);
  expect(lines).toEqual(TABLE);
  expect(real).toEqual(isThere ? REAL : []);
});

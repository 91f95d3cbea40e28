import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { metaOf, readRowFiles, writeJsonl } from "../src/files.ts";
import { censusOf, isObject, type Row } from "../src/index.ts";
import { testFolder } from "./files/folder.ts";
import { leavesOf } from "./leaves.ts";

/**
 * Published rollouts, labels and question sets, too large to be part of the repository: they lie beside it, in
 * `shared/data`, where they are found at all.
 */
const DATA = fileURLToPath(new URL("../../../../shared/data", import.meta.url));
const isThere = existsSync(DATA);

const { path } = testFolder();

/** format, rows, tasks, share graded */
const FILES: [name: string, format: string, rows: number, tasks: number, gradedShare: number][] = [
  ["contamination/gsm8k_eval.jsonl", "loose", 330, 330, 0],
  ["contamination/gsm8k_rephrased.jsonl", "loose", 329, 329, 0],
  ["contamination/gsm8k_train.jsonl", "loose", 600, 600, 0],
  ["contamination/gsm8k_variants.jsonl", "loose", 394, 394, 0],
  ["contamination/humaneval_eval.jsonl", "loose", 82, 82, 0],
  ["contamination/humaneval_rephrased.jsonl", "loose", 111, 111, 0],
  ["contamination/mmlu_sociology_eval.jsonl", "loose", 200, 200, 0],
  ["contamination/mmlu_sociology_rephrased.jsonl", "loose", 296, 296, 0],
  ["judge/llmbar.jsonl", "while", 419, 419, 0],
  ["judge/openqa_nq301.jsonl", "while", 1487, 301, 0],
  ["judge/pandalm.jsonl", "while", 999, 170, 0],
  ["tau-bench/gpt-4o-airline.json", "tau-bench", 200, 50, 1],
  ["trajectories/aider_replies.jsonl", "while", 43, 43, 0],
  ["trajectories/code_agents.jsonl", "while", 11, 11, 0],
  ["trajectories/tau_airline.jsonl", "while", 100, 25, 1],
];

const NOT_ROWS = [
  "contamination/SOURCES.md",
  "judge/SOURCES.md",
  "tau-bench/SOURCES.md",
  "trajectories/SOURCES.md",
  "trajectories/tau_airline_policy.md",
];

describe.skipIf(!isThere)(
  `real files${isThere ? "" : " (skipped: there is no shared/data beside the repository)"}`,
  () => {
    test("each of them is in one of the two lists", () => {
      const found = readdirSync(DATA, { recursive: true, encoding: "utf8" }).filter((name) =>
        statSync(join(DATA, name)).isFile(),
      );
      expect(found.sort()).toEqual([...FILES.map(([name]) => name), ...NOT_ROWS].sort());
    });

    test.each(FILES)(
      "%s is %s: %i rows of %i tasks, share graded %d",
      async (name, format, rows, tasks, gradedShare) => {
        const read = await readRowFiles([join(DATA, name)]);
        expect(censusOf(read.rows, { report: read.report })).toMatchObject({
          ...{ rows, tasks, gradedShare, duplicates: 0 },
          reading: { format, files: 1, nBadLines: 0 },
        });
        expect(read.report).toMatchObject({ records: rows, skipped: new Map(), warnings: [] });
      },
    );

    test.each(FILES)("%s is the same after it was written and read", async (name) => {
      const { rows, report } = await readRowFiles([join(DATA, name)]);
      const copy = path(`${basename(name)}.jsonl`);
      const written = await writeJsonl(copy, rows, { meta: metaOf(report) });
      expect(written).toMatchObject({ rows: rows.length, nonFinite: 0, loneSurrogates: 0, stringified: 0 });
      const again = await readRowFiles([copy]);
      expect(again.rows).toStrictEqual(rows);
      expect(again.report.systemPrompts).toEqual(report.systemPrompts);
      expect(again.report.tools).toEqual(report.tools);
    });

    test.each(FILES)("every value of %s is in its row, or beside the rows", async (name) => {
      const { rows, report } = await readRowFiles([join(DATA, name)]);
      const sources = sourceRecords(join(DATA, name));
      expect(rows).toHaveLength(sources.length);
      for (const [i, source] of sources.entries()) {
        const missing = missingFrom(
          leavesOf(withoutMovedRoles(source)),
          leavesOf(withMovedRules(rows[i]!, report.systemPrompts)),
        );
        expect(missing, `${name}, record ${i}`).toEqual([]);
      }
    });

    test.each(NOT_ROWS)("%s is refused as text", async (name) => {
      await expect(readRowFiles([join(DATA, name)])).rejects.toMatchObject({
        code: "format_unknown",
        what: expect.stringMatching(/is text, not rows: line 1 begins/),
      });
    });

    test("gpt-4o-airline.json: the published pass^1 of 0.420, one wiki for all rows", async () => {
      const { rows, report } = await readRowFiles([join(DATA, "tau-bench/gpt-4o-airline.json")]);
      expect(rows.filter(({ reward }) => reward === 1)).toHaveLength(84);
      expect(report.systemPrompts.size).toBe(1);
      const [sha] = report.systemPrompts.keys();
      for (const row of rows) expect(row.lineage?.system_prompt_sha).toBe(sha);
    });
  },
);

function sourceRecords(file: string): unknown[] {
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".json")) return JSON.parse(text);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** The rules leave the messages for the report; with them goes the word `system`, which says no more than that. */
function withoutMovedRoles(source: unknown): unknown {
  if (!isObject(source) || !Array.isArray(source.traj)) return source;
  return { ...source, traj: source.traj.map((message) => (message.role === "system" ? message.content : message)) };
}

function withMovedRules(row: Row, systemPrompts: ReadonlyMap<string, string>): unknown {
  return [row, systemPrompts.get(row.lineage?.system_prompt_sha ?? "")];
}

function missingFrom(wanted: ReadonlyMap<string, number>, found: ReadonlyMap<string, number>): string[] {
  return [...wanted]
    .filter(([leaf, n]) => (found.get(leaf) ?? 0) < n)
    .map(([leaf, n]) => `${leaf} ${found.get(leaf) ?? 0} of ${n}`);
}

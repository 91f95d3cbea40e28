import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type ReadFilesOptions, readRowFiles } from "../src/files.ts";
import { detectFormat, parseJsonl, type Row } from "../src/index.ts";
import { leavesOf } from "./leaves.ts";

/**
 * One file a format, written from its documented layout, with every kind of record that the format has. What the
 * agent must not see begins with SECRET.
 */
interface ForeignFile {
  format: string;
  file: string;
  options?: ReadFilesOptions;
  /** Rewards in the order of the rows. */
  rewards: (number | null)[];
  lost: number;
  /** Keys of the document that are not read: settings that may hold keys to services, and what rows have anyway. */
  unread?: readonly string[];
}

const FILES: ForeignFile[] = [
  {
    format: "inspect-json",
    file: "inspect/2026-01-02T03-04-05_arith_t1.json",
    rewards: [1, 0, null],
    lost: 1,
    unread: ["reductions"],
  },
  { format: "lm-eval", file: "lm-eval/samples_sums_2026-01-02T03-04-05.123456.jsonl", rewards: [1, 0], lost: 0 },
  { format: "lm-eval", file: "lm-eval/samples_choices_2026-01-02T03-04-05.jsonl", rewards: [1], lost: 0 },
  {
    format: "promptfoo",
    file: "promptfoo/results.json",
    rewards: [1, 0, 1, null, null],
    lost: 2,
    unread: ["config"],
  },
  { format: "promptfoo", file: "promptfoo/results.jsonl", rewards: [1, 0, 1, null, null], lost: 2 },
  { format: "tau2", file: "tau2/results.json", rewards: [1, 0, null], lost: 1 },
  { format: "verifiers", file: "verifiers/results.jsonl", rewards: [1, null, null], lost: 1 },
  { format: "verifiers-episodes", file: "verifiers/traces.jsonl", rewards: [1, 0, null], lost: 1 },
];

/** Rules are kept as a text, without the word for whose they are; "" is nothing. */
const IMPLIED = ["system", ""];

const FIXTURES = fileURLToPath(new URL("fixtures", import.meta.url));

describe.each(FILES)("$file", ({ format, file, options, rewards, lost, unread = [] }) => {
  const path = join(FIXTURES, file);
  const text = readFileSync(path, "utf8");

  test(`is ${format}, whatever its name`, () => {
    expect(detectFormat(text)).toBe(format);
    expect(detectFormat(text.replaceAll("\n", "\r\n"))).toBe(format);
  });

  test("its verdicts are rewards, and a trial that was lost is no failure", async () => {
    const { rows } = await readRowFiles([path], options);
    expect(rows.map(({ reward }) => reward)).toEqual(rewards);
    expect(rows.filter(({ judge_status: status }) => status === "error")).toHaveLength(lost);
    for (const { reward, judge_status: status } of rows) if (status === "error") expect(reward).toBeNull();
  });

  test("without lost trials it is shorter by those", async () => {
    const { rows, report } = await readRowFiles([path], { ...options, keepErrors: false });
    expect(rows).toHaveLength(rewards.length - lost);
    expect(report.skipped.get("infrastructure_error") ?? 0).toBe(lost);
  });

  test("no scalar of it is lost", async () => {
    const { rows, report } = await readRowFiles([path], options);
    const kept = leavesOf([rows, report.meta, report.tools, [...report.systemPrompts.values()], ...IMPLIED]);
    const records = parseJsonl(text, { tolerateTail: true }).rows;
    const read = records.map((record) => Object.entries(record).filter(([key]) => !unread.includes(key)));
    const source = leavesOf(read.map((entries) => entries.map(([, value]) => value)));
    // JSON inside a text is kept when its parts are, and the name of an attachment when the attachment is.
    const lost = [...source.keys()].filter((leaf) => !kept.has(leaf) && !/^"(?:\s*[{[]|attachment:)/.test(leaf));
    expect(lost).toEqual([]);
  });

  test("what the agent must not see is under privileged and nowhere else", async () => {
    const { rows, report } = await readRowFiles([path], options);
    const seen = rows.map(({ privileged: _, ...row }) => row);
    expect(JSON.stringify(rows)).toContain("SECRET");
    expect(JSON.stringify([seen, report.meta, report.tools])).not.toContain("SECRET");
  });

  test("rows say where they came from, and each has an id of its own", async () => {
    const { rows } = await readRowFiles([path], options);
    for (const { lineage } of rows) expect(lineage).toMatchObject({ source: "eval", importer: format });
    expect(new Set(rows.map((row: Row) => row.rollout_id)).size).toBe(rows.length);
    expect((await readRowFiles([path], options)).rows).toEqual(rows);
  });
});

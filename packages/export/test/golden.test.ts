import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leakReport, type Row, toWire } from "@while/schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportDataset, exportGrpo, exportKto, exportPreference, exportRewardModel } from "../src/files.ts";
import {
  buildTasks,
  type ExportOptions,
  lossMask,
  type MaskMode,
  type PairSource,
  renderTemplate,
  toolCallRoundtrip,
  trainingRows,
} from "../src/index.ts";
import { parseJsonTree } from "../src/json/parse-json-tree.ts";

type Wire = Record<string, unknown>;

interface Case {
  id: string;
  fn:
    | "trainingRows"
    | "lossMask"
    | "toolCallRoundtrip"
    | "exportDataset"
    | "exportPreference"
    | "buildTasks"
    | "exportKto"
    | "exportRewardModel"
    | "exportGrpo"
    | "leakReport"
    | "render";
  input: { rows: Row[]; pairs: PairSource[]; messages: { role: string }[]; template: string; options: Wire };
  expected: Wire | Wire[];
  compare: "exact" | "ids" | "subset" | "absent" | "throws" | "line_json_tokens";
}

const file = readFileSync(new URL("golden/export.json", import.meta.url), "utf8");
const { cases } = JSON.parse(file) as { cases: Case[] };
/** The same with the spelling of numbers kept, for cases whose rows hold numbers that end in JSON text. */
const { cases: spelled } = parseJsonTree(file) as { cases: Case[] };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "while-export-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const CALLS: Record<Case["fn"], (input: Case["input"], id: string) => unknown> = {
  trainingRows: ({ rows, options }) => trainingRows(rows, options),
  lossMask: ({ messages, options }) => lossMask(messages, options as { mode?: MaskMode }),
  toolCallRoundtrip: ({ rows, options }) => toWire(toolCallRoundtrip(rows, options)),
  leakReport: ({ rows }) => toWire(leakReport(rows)),
  // These were rendered by Jinja as it comes; transformers lets line breaks behind blocks go.
  render: ({ template, messages }) => renderTemplate(template, { messages }, { blocks: "plain" }),
  buildTasks({ rows, options }) {
    const { train, holdout, report } = buildTasks(rows, options);
    return { train, holdout, report: toWire(report) };
  },
  async exportDataset({ rows, options }, id) {
    const output = join(folder, `${id}.jsonl`);
    return exported(output, await exportDataset(rows, { ...(options as ExportOptions), output }));
  },
  async exportPreference({ pairs, options }, id) {
    const output = join(folder, `${id}.jsonl`);
    return exported(output, await exportPreference(pairs, { ...options, output }));
  },
  async exportRewardModel({ pairs, options }, id) {
    const output = join(folder, `${id}.jsonl`);
    return exported(output, await exportRewardModel(pairs, { ...options, output }));
  },
  async exportKto({ rows, options }, id) {
    const output = join(folder, `${id}.jsonl`);
    return exported(output, await exportKto(rows, { ...options, output }));
  },
  async exportGrpo({ options }, id) {
    const { rows } = spelled.find((other) => other.id === id)!.input;
    const output = join(folder, `${id}.json`);
    return exported(output, await exportGrpo(rows, { ...options, output }));
  },
};

function exported(output: string, report: object): Exported {
  const lines = existsSync(output) ? readFileSync(output, "utf8").split("\n").slice(0, -1) : [];
  return { lines, report: toWire(report) as Wire };
}

test("the table is whole", () => {
  expect(cases).toHaveLength(97);
});

test.each(cases.map((golden) => [golden.id, golden] as const))("%s", async (id, { fn, input, expected, compare }) => {
  const call = async () => CALLS[fn](input, id);
  if (compare === "throws") {
    await expect(call()).rejects.toThrow((expected as { throws: string }).throws);
    return;
  }
  const result = await call();
  if (fn.startsWith("export")) expectExport(result as Exported, expected as Wire);
  else if (compare === "exact") expect(result).toEqual(expected);
  else if (compare === "absent") expectAbsent(result as Wire[], expected as { absent: string[] }[]);
  else if (compare === "ids") expect(taskIds(result as TaskLists)).toMatchObject(expected);
  else expect(result).toMatchObject(expected);
});

interface TaskLists {
  train: { example_id: string }[];
  holdout: { example_id: string }[];
  report: unknown;
}

function taskIds({ train, holdout, report }: TaskLists) {
  return { train: train.map((task) => task.example_id), holdout: holdout.map((task) => task.example_id), report };
}

interface Exported {
  lines: string[];
  report: Wire;
}

function expectExport({ lines, report }: Exported, expected: Wire): void {
  const rows: Wire[] = lines.map((line) => JSON.parse(line));
  for (const [key, value] of Object.entries(expected)) {
    if (key === "rows") {
      expect(rows).toHaveLength((value as Wire[]).length);
      expect(rows).toMatchObject(value as Wire[]);
    } else if (key === "line") {
      // Trees keep the spelling of numbers; one unusual number is enough for the whole line to be read carefully.
      expect(parseJsonTree(lines[0]!)).toEqual(parseJsonTree(value as string));
    } else if (key === "absent") {
      for (const row of rows) for (const name of value as string[]) expect(row).not.toHaveProperty(name);
    } else if (key === "warnings_match") {
      const texts = (report.warnings as { text: string }[]).map(({ text }) => text);
      for (const pattern of value as string[]) expect(texts).toContainEqual(expect.stringMatching(pattern));
    } else if (key === "warnings_absent") {
      expect(report.warnings).toEqual([]);
    } else if (key === "report") {
      const { mask_mode_matches: sentence, ...rest } = value as Wire;
      expect(report).toMatchObject(rest);
      if (sentence !== undefined) expect(report.mask_mode).toContain(sentence);
    } else throw new Error(`The runner does not know ${key}.`);
  }
}

function expectAbsent(rows: readonly Wire[], expected: readonly { absent: string[] }[]): void {
  expect(rows).toHaveLength(expected.length);
  for (const [index, { absent }] of expected.entries()) {
    for (const name of absent) expect(rows[index]).not.toHaveProperty(name);
  }
}

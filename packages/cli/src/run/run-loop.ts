import { join } from "node:path";
import { ExportError, type ExportOptions, type ExportReport, trainingRows, type WireMessage } from "@while/export";
import { exportDataset } from "@while/export/files";
import { censusOf, codePointLength, cutCodePoints } from "@while/schema";
import { type ReadRowFiles, saveRun } from "@while/schema/files";
import { optimize, type Selection, type SelectMode } from "@while/select";
import { markerSummary, passAt, secondOpinion } from "@while/stats";
import { sourceOf } from "../io/read-rows.ts";
import type { RunFile, RunReport, SampleMessage } from "./run-report.ts";

export interface RunOptions {
  mode?: SelectMode;
  /** Who reads the training file. */
  format?: string;
  /** The agent's rules and tools, where the rows do not have them. */
  rules?: Pick<ExportOptions, "systemPrompt" | "tools">;
}

export interface RunPlace {
  /** Where files are written now, and how the folder will be called. */
  folder: string;
  directory: string;
  /** The command line, and the files it reads. */
  command: string;
  sources: readonly string[];
}

/** The whole loop on rows in memory: measure, select, export. Writes the rows and the training file into the folder. */
export async function runLoop(
  read: ReadRowFiles,
  { folder, directory, command, sources }: RunPlace,
  { mode, format = "trl", rules = {} }: RunOptions = {},
): Promise<RunReport> {
  const { rows } = read;
  const selection = optimize(sourceOf(read), mode === undefined ? {} : { mode });
  const measured = {
    command,
    sources,
    directory,
    census: censusOf(rows, { report: read.report }),
    passAt: passAt(rows),
    secondOpinion: secondOpinion(rows, read.report),
    markers: markerSummary(rows),
    selection: selection.report,
  };
  if (selection.rows.length === 0) {
    return { ...measured, ...nothingKept(selection, measured.passAt.passAt1), export: null, sample: [], files: [] };
  }
  await saveRun(folder, selection);
  const files = [ROWS_FILE, ROWS_META_FILE];
  const name = `train.${format}.jsonl`;
  let report: ExportReport;
  try {
    report = await exportDataset(selection, { ...rules, format, output: join(folder, name) });
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    return { ...measured, verdict: "refused", reason: error.message, export: null, sample: [], files };
  }
  return {
    ...measured,
    verdict: "written",
    reason: null,
    export: { ...report, path: join(directory, name) },
    sample: sampleOf(selection, rules, report),
    files: [
      { name, about: `what the trainer reads: ${report.n} ${format} rows` },
      { name: `${name}.manifest.json`, about: "its hash, rows and columns, for wai export --check" },
      ...files,
    ],
  };
}

const ROWS_FILE: RunFile = { name: "rows.jsonl", about: "the kept rows, as they came" };
const ROWS_META_FILE: RunFile = { name: "rows.meta.json", about: "their system prompts and tools" };

function nothingKept({ report }: Selection, passAt1: number | null): Pick<RunReport, "verdict" | "reason"> {
  if (passAt1 === null) return { verdict: "not_graded", reason: "Grade the rows first." };
  return {
    verdict: "nothing_kept",
    reason: `None of ${report.n} rows is worth training on: see what they were dropped for.`,
  };
}

const SHOWN_CHARS = 600;

/** The first row as the trainer reads it. A file that masks nothing trains every message. */
function sampleOf(
  selection: Selection,
  rules: NonNullable<RunOptions["rules"]>,
  { maskedMessages }: ExportReport,
): SampleMessage[] {
  const [first] = trainingRows({ ...selection, rows: selection.rows.slice(0, 1) }, rules);
  if (first === undefined) return [];
  return first.messages.map((message, i) => ({
    role: message.role,
    text: cut(textOf(message)),
    trained: maskedMessages === 0 || first.loss_mask[i] === 1,
  }));
}

function textOf({ content, tool_calls: calls = [] }: WireMessage): string {
  const called = calls.map(({ function: { name, arguments: given } }) => `${name}(${given})`);
  return [content, ...called].filter((text) => text !== "").join("\n");
}

/** Says how much is gone. */
function cut(text: string): string {
  const length = codePointLength(text);
  return length <= SHOWN_CHARS
    ? text
    : `${cutCodePoints(text, SHOWN_CHARS)} … (${length - SHOWN_CHARS} more characters)`;
}

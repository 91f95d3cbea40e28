import { join } from "node:path";
import { ExportError, type ExportOptions, type ExportReport, trainingRows, type WireMessage } from "@while/export";
import { exportDataset } from "@while/export/files";
import { censusOf, codePointLength, cutCodePoints, type Row } from "@while/schema";
import { type ReadRowFiles, saveRun } from "@while/schema/files";
import { hackScan, optimize, publishGate, type Selection, type SelectMode } from "@while/select";
import { markerSummary, passAt, secondOpinion } from "@while/stats";
import { decontaminate, judgeTrust, traceFlagReport } from "@while/trust";
import { sourceOf } from "../io/read-rows.ts";
import { verdictOfGates } from "./run-gate.ts";
import { gatesOf } from "./run-gates.ts";
import type { RunFile, RunReport, SampleMessage } from "./run-report.ts";

export interface RunOptions {
  mode?: SelectMode;
  /** Who reads the training file. */
  format?: string;
  /** The agent's rules and tools, where the rows do not have them. */
  rules?: Pick<ExportOptions, "systemPrompt" | "tools">;
  /** What the reward is meant to pay for: parts of feature names. */
  endorsed?: readonly string[];
  /** An evaluation that must not be among the rows, and the files it is from. */
  holdout?: { rows: readonly Row[]; files: readonly string[] } | null;
  /** Write the training file although the publish gate refuses. */
  force?: boolean;
}

export interface RunPlace {
  /** Where files are written now, and how the folder will be called. */
  folder: string;
  directory: string;
  /** The command line, and the files it reads. */
  command: string;
  sources: readonly string[];
}

/**
 * The whole loop on rows in memory: measure, believe, select, export. Writes the kept rows and the training file into
 * the folder. Rows that an evaluation holds are measured, and are not trained on.
 */
export async function runLoop(
  read: ReadRowFiles,
  { folder, directory, command, sources }: RunPlace,
  { mode, format = "trl", rules = {}, endorsed = [], holdout = null, force = false }: RunOptions = {},
): Promise<RunReport> {
  const { rows } = read;
  const checked = holdout === null ? null : await decontaminate(sourceOf(read), [holdout.rows]);
  const source = { ...sourceOf(read), ...(checked === null ? {} : { rows: checked.rows }) };
  const selection = optimize(source, mode === undefined ? {} : { mode });
  const kept = selection.rows.length === 0 ? null : selection;
  // Contrast is what a grouped method needs; several good replies to one task are welcome where they are imitated.
  const isGated = kept !== null && selection.report.mode === "rl";
  const gate = isGated ? publishGate(kept.rows, { mode: "rl", endorsed, strict: false }).report : null;
  const measured = {
    command,
    sources,
    holdout: holdout?.files ?? [],
    directory,
    census: censusOf(rows, { report: read.report }),
    passAt: passAt(rows),
    secondOpinion: secondOpinion(rows, read.report),
    markers: markerSummary(rows),
    judgeTrust: await judgeTrust(rows),
    traces: traceFlagReport(rows),
    decontamination: checked?.report ?? null,
    hackScan: hackScan(rows, { endorsed }),
    selection: selection.report,
    gate,
  };
  const trained = await trainingFile(kept, measured, { folder, directory, format, rules, force });
  const asked = { ...measured, ...trained };
  const gates = gatesOf(asked);
  return { verdict: verdictOfGates(gates), gates, ...asked };
}

const ROWS_FILE: RunFile = { name: "rows.jsonl", about: "the kept rows, as they came" };
const ROWS_META_FILE: RunFile = { name: "rows.meta.json", about: "their system prompts and tools" };

async function trainingFile(
  kept: Selection | null,
  { selection, passAt: { passAt1 }, gate }: Pick<RunReport, "selection" | "passAt" | "gate">,
  {
    folder,
    directory,
    format,
    rules,
    force,
  }: Required<Pick<RunOptions, "format" | "rules" | "force">> & Pick<RunPlace, "folder" | "directory">,
): Promise<Pick<RunReport, "outcome" | "reason" | "export" | "sample" | "files">> {
  const nothing = { export: null, sample: [], files: [] };
  if (kept === null && passAt1 === null) return { outcome: "not_graded", reason: "Grade the rows first.", ...nothing };
  if (kept === null) {
    const reason = `None of ${selection.n} rows is worth training on: see what they were dropped for.`;
    return { outcome: "nothing_kept", reason, ...nothing };
  }
  await saveRun(folder, kept);
  const files = [ROWS_FILE, ROWS_META_FILE];
  if (gate !== null && !gate.ok && !force) {
    const reason = "The publish gate refuses the kept rows, so no training file was written.";
    return { outcome: "nothing_kept", reason, ...nothing, files };
  }
  const name = `train.${format}.jsonl`;
  let report: ExportReport;
  try {
    report = await exportDataset(kept, { ...rules, format, output: join(folder, name) });
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    return { outcome: "refused", reason: error.message, ...nothing, files };
  }
  return {
    outcome: "written",
    reason: null,
    export: { ...report, path: join(directory, name) },
    sample: sampleOf(kept, rules, report),
    files: [
      { name, about: `what the trainer reads: ${report.n} ${format} rows` },
      { name: `${name}.manifest.json`, about: "its hash, rows and columns, for wai export --check" },
      ...files,
    ],
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

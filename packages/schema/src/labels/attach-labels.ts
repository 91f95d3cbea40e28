import { rowKey } from "../identity/row-key.ts";
import { isObject } from "../is-object.ts";
import { parseJsonl } from "../json/parse-jsonl.ts";
import { checkOptions } from "../options/check-options.ts";
import type { ReadWarning } from "../readers/read-report.ts";
import { GOLD_KINDS, type LabelRecord, type Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { compareCodePoints } from "../text/code-points.ts";
import { textOf } from "../text/text-of.ts";
import { goldKindOf, kindName, votesOf } from "./gold-kind.ts";
import { LabelError } from "./label-error.ts";
import { LabelIndex, type LabelKey, labelKeyOf } from "./label-index.ts";

/** Label records, the JSONL text of them, or labels by the key of their row. */
export type Labels =
  | string
  | readonly Readonly<Record<string, unknown>>[]
  | ReadonlyMap<string, unknown>
  | Readonly<Record<string, unknown>>;

export interface AttachLabelsOptions {
  /** Who gave the labels that do not say it themselves. */
  annotator?: string;
  /** What gave them: `human`, `program` (also called `verifier`) or `model`. Without it a person is assumed, and said. */
  kind?: string;
  /** A row's labels start anew with its first label of this call. */
  replace?: boolean;
  /** Seconds since 1970, for labels that have no time. */
  now?: number;
}

/** What became of the labels. */
export interface LabelReport {
  labels: number;
  matched: number;
  /** Labels that name no row. */
  unmatched: number;
  /** The first ten of them. */
  unmatchedKeys: string[];
  /** Labels that are neither 0 nor 1. */
  invalid: number;
  /** The first three of them, as JSON. */
  invalidExamples: string[];
  rowsLabeled: number;
  /** Rows whose labels are evenly split; they have no gold. */
  ties: number;
  /** Of the labels that found their row, in order of code points. */
  annotators: string[];
  warnings: ReadWarning[];
}

export interface AttachedLabels {
  rows: Row[];
  report: LabelReport;
}

const SHAPES =
  "Give records that name their row by key, rollout_id, scenario_id with rollout_index, or prompt, " +
  'as in {"key": "s1#0", "label": 1}, or an object of labels by key.';

const KEY_FORMS =
  "A key is a rollout_id, <scenario_id>#<rollout_index>, or a scenario_id or prompt that has one row; " +
  "records may hold these under their own names.";

/** Keys that a sentence names. */
const NAMED = 3;

/** Keys that the report lists. */
const LISTED = 10;

/**
 * Writes gold labels on the rows they name: each as a record of `gold_labels`, and the majority of them as
 * `gold_reward` (0 or 1) with its `gold_kind`. Of each annotator and kind the latest label votes; an even split leaves
 * the row without gold. Rows that no label names come back as the same reference.
 *
 * A label is 0, 1 or a boolean, under `label`, `reward` or `gold_reward`. Its record may also say `annotator`, `kind`,
 * `note` and `ts`. Preference data and program labels: Lambert 2025, chapters Preference Data and Evaluation.
 *
 * @throws SchemaError `label_shape`, `label_kind`, `bad_option`; LabelError `label_ambiguous` when a key names several
 *   rows, `label_unmatched` when no label names any. In all cases before any row is written
 */
export function attachLabels(rows: readonly Row[], labels: Labels, options: AttachLabelsOptions = {}): AttachedLabels {
  checkOptions(
    options,
    ["annotator", "kind", "replace", "now"],
    (what, fix) => new SchemaError("bad_option", what, fix),
  );
  const records = recordsOf(labels);
  if (options.kind !== undefined) checkKind(options.kind, "kind");
  for (const { kind } of records) if (textOf(kind) !== "") checkKind(kind, "A label's kind");

  const found = resolved(rows, records);
  if (found.ambiguous.size > 0) throw ambiguousError(rows, found.ambiguous);
  if (found.unmatched.length > 0 && found.matches.length === 0) throw unmatchedError(rows, found.unmatched);
  return written(rows, found, records.length, options);
}

interface Match {
  row: number;
  label: 0 | 1;
  record: Readonly<Record<string, unknown>>;
}

interface Resolved {
  matches: Match[];
  unmatched: string[];
  invalid: unknown[];
  /** Rows by the key that names them all. */
  ambiguous: Map<string, readonly number[]>;
}

function resolved(rows: readonly Row[], records: readonly Readonly<Record<string, unknown>>[]): Resolved {
  const index = new LabelIndex(rows);
  const found: Resolved = { matches: [], unmatched: [], invalid: [], ambiguous: new Map() };
  for (const record of records) {
    const value = [record.label, record.reward, record.gold_reward].find(isGiven);
    const label = typeof value === "boolean" ? Number(value) : value;
    if (label !== 0 && label !== 1) {
      found.invalid.push(value);
      continue;
    }
    const key: LabelKey | null = labelKeyOf(record);
    const named = key === null ? [] : index.rowsOf(key);
    if (named.length === 0) found.unmatched.push(key?.shown ?? "(no identity)");
    else if (named.length > 1) found.ambiguous.set(key!.shown, named);
    else found.matches.push({ row: named[0]!, label, record });
  }
  return found;
}

function written(
  rows: readonly Row[],
  { matches, unmatched, invalid }: Resolved,
  nLabels: number,
  { annotator, kind, replace = false, now }: AttachLabelsOptions,
): AttachedLabels {
  const labelsOf = new Map<number, LabelRecord[]>();
  const annotators = new Set<string>();
  let nAssumed = 0;
  for (const { row, label, record } of matches) {
    const before = replace ? [] : (rows[row]!.gold_labels ?? []);
    const list = labelsOf.get(row) ?? [...before];
    if (textOf(record.kind) === "" && kind === undefined) nAssumed++;
    const ts = typeof record.ts === "number" ? record.ts : (now ?? null);
    const by = textOf(record.annotator) || annotator || "unknown";
    const note = textOf(record.note);
    annotators.add(by);
    list.push({
      label,
      annotator: by,
      kind: kindName(textOf(record.kind) || kind || "human"),
      ...(ts === null ? {} : { ts }),
      ...(note === "" ? {} : { note }),
    });
    labelsOf.set(row, list);
  }
  let ties = 0;
  let nReplaced = 0;
  const labeled = rows.map((row, i) => {
    const list = labelsOf.get(i);
    if (list === undefined) return row;
    const gold = withGold(row, list);
    if (gold.gold_reward === undefined) ties++;
    const isBare = isGiven(row.gold_reward) && (row.gold_labels ?? []).length === 0;
    if (isBare && gold.gold_reward !== row.gold_reward) nReplaced++;
    return gold;
  });
  const report: LabelReport = {
    labels: nLabels,
    matched: matches.length,
    unmatched: unmatched.length,
    unmatchedKeys: unmatched.slice(0, LISTED),
    invalid: invalid.length,
    invalidExamples: invalid.slice(0, NAMED).map((value) => JSON.stringify(value) ?? "no label"),
    rowsLabeled: labelsOf.size,
    ties,
    annotators: [...annotators].sort(compareCodePoints),
    warnings: [],
  };
  return { rows: labeled, report: { ...report, warnings: warningsOf(report, nAssumed, nReplaced) } };
}

/** The row with its labels and what most of them say; with an even split it has no gold. */
function withGold(row: Row, labels: LabelRecord[]): Row {
  const { gold_reward: _, gold_kind: __, ...rest } = row;
  const votes = votesOf(labels);
  const ones = votes.filter(({ label }) => label === 1).length;
  const zeros = votes.length - ones;
  if (ones === zeros) return { ...rest, gold_labels: labels };
  const kind = goldKindOf(votes.map((vote) => vote.kind));
  return { ...rest, gold_labels: labels, gold_reward: ones > zeros ? 1 : 0, gold_kind: kind };
}

function warningsOf(report: LabelReport, nAssumed: number, nReplaced: number): ReadWarning[] {
  const { unmatched, unmatchedKeys, invalid, invalidExamples, ties } = report;
  const warnings: ReadWarning[] = [];
  const warn = (code: string, n: number, one: string, many: string, rest: string) => {
    if (n > 0) warnings.push({ code, text: `${n === 1 ? `1 ${one}` : `${n} ${many}`} ${rest}` });
  };
  const keys = unmatchedKeys.slice(0, NAMED).join(", ");
  warn("labels_unmatched", unmatched, "label names no row", "labels name no row", `(${keys}). ${KEY_FORMS}`);
  const seen = invalidExamples.join(", ");
  warn("labels_invalid", invalid, "label is", "labels are", `neither 0 nor 1 (${seen}) and not used.`);
  warn(
    "label_ties",
    ties,
    "row has",
    "rows have",
    "as many labels of 1 as of 0, so no gold. Read gold_labels and decide.",
  );
  const how = 'Pass kind: "human", "program" or "model", or give each record its kind.';
  warn(
    "label_kind_assumed",
    nAssumed,
    "label was",
    "labels were",
    `taken for a person's, as nothing said the kind. ${how}`,
  );
  const was = "a gold_reward that no label stood behind and that these labels changed.";
  warn("gold_replaced", nReplaced, "row had", "rows had", was);
  return warnings;
}

function recordsOf(labels: Labels): readonly Readonly<Record<string, unknown>>[] {
  if (typeof labels === "string") return parseJsonl(labels, { file: "labels" }).rows;
  if (Array.isArray(labels)) {
    const stranger = labels.findIndex((item) => !isObject(item));
    if (stranger < 0) return labels;
    const item: unknown = labels[stranger];
    const type = Array.isArray(item) ? "list" : item === null ? "null" : typeof item;
    throw shapeError(`Label ${stranger} is a ${type}, ${JSON.stringify(item)}, and names no row.`);
  }
  if (!isObject(labels) && !(labels instanceof Map)) throw shapeError(`The labels are ${JSON.stringify(labels)}.`);
  const entries: Iterable<[string, unknown]> = labels instanceof Map ? labels : Object.entries(labels);
  return Array.from(entries, ([key, value]) => (isObject(value) ? { ...value, key } : { key, label: value }));
}

function checkKind(kind: unknown, name: string): void {
  if (typeof kind === "string" && GOLD_KINDS.includes(kindName(kind))) return;
  const given = `${name} is ${JSON.stringify(kind)}.`;
  throw new SchemaError("label_kind", given, `Give human, program (also called verifier) or model.`);
}

function shapeError(what: string): SchemaError {
  return new SchemaError("label_shape", what, SHAPES);
}

/** Two ways to be ambiguous want two different repairs. */
function ambiguousError(rows: readonly Row[], ambiguous: ReadonlyMap<string, readonly number[]>): LabelError {
  const several: string[] = [];
  const pooled: string[] = [];
  for (const [key, named] of ambiguous) {
    const spellings = [...new Set(named.map((row) => rowKey(rows[row]!)))];
    if (spellings.length === 1) pooled.push(`${key} (${named.length} rows)`);
    else several.push(`${key} (${firstOf(spellings)})`);
  }
  const whats: string[] = [];
  const fixes: string[] = [];
  if (several.length > 0) {
    whats.push(`of a task or prompt with several rollouts: ${firstOf(several)}`);
    fixes.push("Write <scenario_id>#<rollout_index> or a rollout_id for one of several rollouts.");
  }
  if (pooled.length > 0) {
    whats.push(`that rows of pooled runs share: ${firstOf(pooled)}`);
    fixes.push("Give every row of pooled runs its own rollout_id first (assignRolloutIds), and key on it.");
  }
  const n = ambiguous.size === 1 ? "1 key of the labels names" : `${ambiguous.size} keys of the labels name`;
  return new LabelError("label_ambiguous", `${n} more than one row, ${whats.join("; and ")}.`, fixes.join(" "), [
    ...ambiguous.keys(),
  ]);
}

function unmatchedError(rows: readonly Row[], unmatched: readonly string[]): LabelError {
  const carried = rows.slice(0, NAMED).map(rowKey).join(", ");
  const has =
    rows.length === 0 ? "There are no rows." : `The rows are called ${carried}${rows.length > NAMED ? ", …" : ""}.`;
  const n = unmatched.length === 1 ? "The label names" : `None of ${unmatched.length} labels names`;
  const what = `${n} ${unmatched.length === 1 ? "no row" : "a row"}: ${firstOf(unmatched)}. ${has}`;
  return new LabelError("label_unmatched", what, KEY_FORMS, unmatched);
}

function firstOf(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  return `${names.slice(0, NAMED).join(", ")}${more}`;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

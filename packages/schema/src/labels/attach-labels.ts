import { checkOptions } from "../options/check-options.ts";
import type { ReadWarning } from "../readers/read-report.ts";
import type { LabelRecord, Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { compareCodePoints } from "../text/code-points.ts";
import { textOf } from "../text/text-of.ts";
import { VOTERS, type Voters } from "./deciding-records.ts";
import { goldKindOf } from "./gold-kind.ts";
import { goldVotes, majorityOf } from "./gold-votes.ts";
import { recordsByRow } from "./records-by-row.ts";
import {
  checkKind,
  type GivenLabel,
  isGiven,
  KEY_FORMS,
  type Labels,
  NAMED,
  type ResolvedLabels,
  recordsOf,
  resolveLabels,
} from "./resolve-labels.ts";

export interface AttachLabelsOptions {
  /** Who gave the labels that do not say it themselves. */
  annotator?: string;
  /** What gave them: `human`, `program` (also called `verifier`) or `model`. Without it a person is assumed, and said. */
  kind?: string;
  /** A row's labels start anew with its first label of this call. */
  replace?: boolean;
  /** Seconds since 1970, for labels that have no time. */
  now?: number;
  /**
   * Whose labels decide: with `trusted` (the default) a model's only where no person and no program labeled the row; with
   * `all` every annotator's, as in the Python SDK.
   */
  voters?: Voters;
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
    ["annotator", "kind", "replace", "now", "voters"],
    (what, fix) => new SchemaError("bad_option", what, fix),
  );
  checkVoters(options.voters);
  const records = recordsOf(labels);
  if (options.kind !== undefined) checkKind(options.kind, "kind");
  for (const { kind } of records) if (textOf(kind) !== "") checkKind(kind, "A label's kind");

  return written(rows, resolveLabels(rows, records, labelOf), records.length, options);
}

/** @throws SchemaError `bad_option` */
export function checkVoters(voters: unknown): void {
  if (voters === undefined || VOTERS.some((word) => word === voters)) return;
  throw new SchemaError("bad_option", `voters is ${JSON.stringify(voters)}.`, `Pass one of ${VOTERS.join(", ")}.`);
}

function labelOf(record: GivenLabel): readonly [label: 0 | 1 | null, shown: unknown] {
  const value = [record.label, record.reward, record.gold_reward].find(isGiven);
  const label = typeof value === "boolean" ? Number(value) : value;
  return [label === 0 || label === 1 ? label : null, value];
}

function written(
  rows: readonly Row[],
  { matches, unmatched, invalid }: ResolvedLabels<0 | 1>,
  nLabels: number,
  { annotator, kind, replace = false, now, voters }: AttachLabelsOptions,
): AttachedLabels {
  const {
    recordsOf: labelsOf,
    annotators,
    nAssumed,
  } = recordsByRow(
    matches,
    { annotator, kind, now },
    (row) => (replace ? [] : (rows[row]!.gold_labels ?? [])),
    (label, given): LabelRecord => ({ label, ...given }),
  );
  let ties = 0;
  let nReplaced = 0;
  const labeled = rows.map((row, i) => {
    const list = labelsOf.get(i);
    if (list === undefined) return row;
    const gold = withGold(row, list, voters);
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
function withGold(row: Row, labels: LabelRecord[], voters: Voters | undefined): Row {
  const { gold_reward: _, gold_kind: __, gold_confidence: ___, ...rest } = row;
  const votes = goldVotes(labels, voters);
  const majority = majorityOf(votes);
  if (majority === null) return { ...rest, gold_labels: labels };
  const kind = goldKindOf(votes.map((vote) => vote.kind));
  return { ...rest, gold_labels: labels, gold_reward: majority, gold_kind: kind };
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

import { checkOptions } from "../options/check-options.ts";
import type { ReadWarning } from "../readers/read-report.ts";
import type { RatingRecord, Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { compareCodePoints } from "../text/code-points.ts";
import { roundHalfEven } from "../text/half-even.ts";
import { textOf } from "../text/text-of.ts";
import { type AttachLabelsOptions, checkVoters, type LabelReport } from "./attach-labels.ts";
import { decidingRecords, type Voters } from "./deciding-records.ts";
import { recordsByRow } from "./records-by-row.ts";
import {
  checkKind,
  type GivenLabel,
  isGiven,
  KEY_FORMS,
  type Labels,
  NAMED,
  recordsOf,
  resolveLabels,
} from "./resolve-labels.ts";

export interface AttachRatingsOptions extends AttachLabelsOptions {
  /** The lowest and the highest mark that could be given. */
  scale: readonly [low: number, high: number];
}

/** What became of the ratings; `labels` are ratings here, and there are no ties. */
export type RatingReport = Omit<LabelReport, "ties">;

export interface AttachedRatings {
  rows: Row[];
  report: RatingReport;
}

/** Keys that the report lists. */
const LISTED = 10;
/** Of a share that marks on a scale come to. */
const DIGITS = 6;

/**
 * Writes marks on a scale (1 to 5 stars) on the rows they name: each as a record of `gold_ratings`, and the mean of them,
 * from 0 at the lowest mark to 1 at the highest, as `gold_score`: what a judge that grades on a scale is held against.
 * Of each annotator and kind the latest mark counts. Rows that no rating names come back as the same reference.
 *
 * A mark is a number under `rating`, `label` or `score`. Rows are found, and records may say `annotator`, `kind`, `note`
 * and `ts`, as for `attachLabels`.
 *
 * @throws SchemaError `label_shape`, `label_kind`, `bad_option`; LabelError `label_ambiguous`, `label_unmatched`. In all
 *   cases before any row is written
 */
export function attachRatings(rows: readonly Row[], ratings: Labels, options: AttachRatingsOptions): AttachedRatings {
  const names = ["scale", "annotator", "kind", "replace", "now", "voters"];
  checkOptions(options, names, (what, fix) => new SchemaError("bad_option", what, fix));
  const { scale, kind } = options;
  checkScale(scale);
  checkVoters(options.voters);
  const records = recordsOf(ratings);
  if (kind !== undefined) checkKind(kind, "kind");
  for (const record of records) if (textOf(record.kind) !== "") checkKind(record.kind, "A rating's kind");
  const found = resolveLabels(rows, records, (record) => markOf(record, scale));
  const { scale: marks, replace = false } = options;
  const {
    recordsOf: ratingsOf,
    annotators,
    nAssumed,
  } = recordsByRow(
    found.matches,
    options,
    (row) => (replace ? [] : (rows[row]!.gold_ratings ?? [])),
    (rating, given): RatingRecord => ({ rating, scale: [...marks], ...given }),
  );
  const report: RatingReport = {
    ...{ labels: records.length, matched: found.matches.length, unmatched: found.unmatched.length },
    unmatchedKeys: found.unmatched.slice(0, LISTED),
    invalid: found.invalid.length,
    invalidExamples: found.invalid.slice(0, NAMED).map((value) => JSON.stringify(value) ?? "no rating"),
    rowsLabeled: ratingsOf.size,
    annotators: [...annotators].sort(compareCodePoints),
    warnings: [],
  };
  return {
    rows: rows.map((row, i) => (ratingsOf.has(i) ? withScore(row, ratingsOf.get(i)!, options.voters) : row)),
    report: { ...report, warnings: warningsOf(report, nAssumed, scale) },
  };
}

/**
 * The ratings that count: of each annotator and kind the latest; a model's only where no person and no program gave any,
 * unless all are to. What is no number on its own scale is left out.
 */
export function latestRatings(ratings: readonly RatingRecord[], voters?: Voters): RatingRecord[] {
  return decidingRecords(
    ratings.filter((record) => scoreOf(record) !== null),
    voters,
  );
}

function checkScale(scale: unknown): void {
  if (Array.isArray(scale) && scale.length === 2 && scale.every(Number.isFinite) && scale[0] < scale[1]) return;
  throw new SchemaError(
    "bad_option",
    `scale is ${JSON.stringify(scale)}.`,
    "Pass the lowest and the highest mark, the lower first: scale: [1, 5].",
  );
}

function markOf(
  { rating, label, score }: GivenLabel,
  [low, high]: AttachRatingsOptions["scale"],
): readonly [mark: number | null, shown: unknown] {
  const value = [rating, label, score].find(isGiven);
  return [typeof value === "number" && value >= low && value <= high ? value : null, value];
}

function withScore(row: Row, ratings: RatingRecord[], voters: Voters | undefined): Row {
  const scores = latestRatings(ratings, voters).map((record) => scoreOf(record)!);
  const mean = scores.reduce((total, score) => total + score, 0) / scores.length;
  return { ...row, gold_ratings: ratings, gold_score: roundHalfEven(mean, DIGITS) };
}

/** From 0 at the lowest mark of its scale to 1 at the highest; null for a mark beside it. */
function scoreOf({ rating, scale }: RatingRecord): number | null {
  const [low, high] = Array.isArray(scale) ? scale : [0, 1];
  if (typeof low !== "number" || typeof high !== "number" || !(low < high)) return null;
  return rating >= low && rating <= high ? (rating - low) / (high - low) : null;
}

function warningsOf(
  { unmatched, unmatchedKeys, invalid, invalidExamples }: RatingReport,
  nAssumed: number,
  [low, high]: AttachRatingsOptions["scale"],
): ReadWarning[] {
  const warnings: ReadWarning[] = [];
  const counted = (n: number, one: string, many: string) => (n === 1 ? `1 rating ${one}` : `${n} ratings ${many}`);
  if (unmatched > 0) {
    const keys = unmatchedKeys.slice(0, NAMED).join(", ");
    const text = `${counted(unmatched, "names no row", "name no row")} (${keys}). ${KEY_FORMS}`;
    warnings.push({ code: "labels_unmatched", text });
  }
  if (invalid > 0) {
    const seen = invalidExamples.join(", ");
    const text = `${counted(invalid, "is", "are")} no mark from ${low} to ${high} (${seen}) and not used.`;
    warnings.push({ code: "labels_invalid", text });
  }
  if (nAssumed > 0) {
    const how = 'Pass kind: "human", "program" or "model", or give each record its kind.';
    const text = `${counted(nAssumed, "was", "were")} taken for a person's, as nothing said the kind. ${how}`;
    warnings.push({ code: "label_kind_assumed", text });
  }
  return warnings;
}

import type { SourceObject } from "../json/record-reader.ts";
import { checkOptions } from "../options/check-options.ts";
import { SchemaError } from "../schema-error.ts";
import { compareCodePoints } from "../text/code-points.ts";
import { type LabelOptions, labelOf, rewardKeys } from "./load-traces.ts";
import type { ReadWarning } from "./read-report.ts";

/** Labels of one column that are neither 0 nor 1. */
export interface NonBinaryLabels {
  n: number;
  /** Up to three, as `key=value`. */
  examples: string[];
}

/** What the labels of rows are, before anything is made of them. */
export interface LabelCensus {
  /** Rows with a readable label: passes and fails. */
  graded: number;
  passes: number;
  fails: number;
  /** Rows where no column that is read holds a number or a boolean. */
  ungraded: number;
  nonBinaryLabels: NonBinaryLabels;
  /** Rows that only `qwen_reward` labels, a second scorer's opinion that counts as no label. */
  advisoryLabels: number;
  /** Numeric columns that nothing reads, with the rows that have them. */
  unreadNumericColumns: Map<string, number>;
  warnings: ReadWarning[];
}

/** Numbers that measure the rollout and judge nothing. */
const NO_LABELS: ReadonlySet<string> = new Set([
  "logprob",
  "n_tokens",
  "rollout_index",
  "round",
  "schema_version",
  "seed",
  "timestamp",
  "ts",
]);

const MAX_EXAMPLES = 3;

/**
 * Counts labels on rows as they were handed over, so that a verdict under another name (`score`), or on another
 * scale (0.75, 4 of 5), is seen before a report says that nothing is graded.
 */
export function labelCensus(rows: readonly SourceObject[], options: LabelOptions = {}): LabelCensus {
  checkOptions(options, ["rewardKey", "threshold"], (what, fix) => new SchemaError("bad_option", what, fix));
  const keys = rewardKeys(options);
  const { threshold } = options;
  const census: LabelCensus = {
    graded: 0,
    passes: 0,
    fails: 0,
    ungraded: 0,
    nonBinaryLabels: { n: 0, examples: [] },
    advisoryLabels: 0,
    unreadNumericColumns: new Map(),
    warnings: [],
  };
  for (const row of rows) {
    const key = keys.find((name) => labelOf(row[name]) !== null);
    if (key === undefined) {
      census.ungraded++;
      if (labelOf(row.qwen_reward) !== null) census.advisoryLabels++;
    } else {
      countLabel(census, key, labelOf(row[key])!, threshold);
    }
    for (const [column, value] of Object.entries(row)) {
      if (typeof value !== "number" || keys.includes(column) || column === "qwen_reward" || NO_LABELS.has(column)) {
        continue;
      }
      census.unreadNumericColumns.set(column, (census.unreadNumericColumns.get(column) ?? 0) + 1);
    }
  }
  census.warnings = warningsOf(census, keys);
  return census;
}

function countLabel(census: LabelCensus, key: string, label: number, threshold: number | undefined): void {
  if (threshold === undefined && label !== 0 && label !== 1) {
    const { nonBinaryLabels } = census;
    const example = `${key}=${label}`;
    nonBinaryLabels.n++;
    if (nonBinaryLabels.examples.length < MAX_EXAMPLES && !nonBinaryLabels.examples.includes(example)) {
      nonBinaryLabels.examples.push(example);
    }
    return;
  }
  census.graded++;
  if (threshold === undefined ? label === 1 : label >= threshold) census.passes++;
  else census.fails++;
}

function warningsOf(census: LabelCensus, keys: readonly string[]): ReadWarning[] {
  const warnings: ReadWarning[] = [];
  const { nonBinaryLabels, unreadNumericColumns, advisoryLabels } = census;
  if (nonBinaryLabels.n > 0) {
    warnings.push({
      code: "non_binary_labels",
      text:
        `${nonBinaryLabels.n === 1 ? "1 label is" : `${nonBinaryLabels.n} labels are`} neither 0 nor 1 ` +
        `(${nonBinaryLabels.examples.join(", ")}). Pass threshold to make ${nonBinaryLabels.n === 1 ? "it one" : "them so"}.`,
    });
  }
  if (unreadNumericColumns.size > 0 && census.ungraded > 0) {
    const columns = [...unreadNumericColumns]
      .sort(([a, m], [b, n]) => n - m || compareCodePoints(a, b))
      .map(([column, n]) => `${column} (${n === 1 ? "1 row" : `${n} rows`})`);
    warnings.push({
      code: "unread_numeric_columns",
      text:
        `${census.ungraded === 1 ? "1 row has" : `${census.ungraded} rows have`} no label under ${keys.join(", ")}, and ` +
        `nothing reads ${columns.join(", ")}. Pass rewardKey if one of them is the verdict.`,
    });
  }
  if (advisoryLabels > 0) {
    warnings.push({
      code: "advisory_labels",
      text: `${advisoryLabels === 1 ? "1 row is" : `${advisoryLabels} rows are`} labelled by qwen_reward alone, which is a second opinion and no label. Pass rewardKey: "qwen_reward" to use it.`,
    });
  }
  return warnings;
}

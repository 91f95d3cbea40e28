import { type Labels, nearestName, type Row, recordsOf, resolveLabels, textOf } from "@while/schema";
import { counted } from "../counted.ts";
import { TrustError } from "../trust-error.ts";

/** What people said of flags on rows. */
export interface FlagLabels {
  /** By place of the row, by flag: 1 where the agent did that, 0 where it did not. */
  labels: Map<number, Map<string, 0 | 1>>;
  /** Records that were used, that name no row, and that are neither 0 nor 1. */
  nUsed: number;
  nUnmatched: number;
  nInvalid: number;
  /** Flags of rows whose labels are evenly split, and count nowhere. */
  nTies: number;
  /** The first keys that name no row. */
  unmatched: string[];
}

const NAMED = 3;

/**
 * Reads labels of flags: records that name a row as those of `attachLabels` do, a `flag`, and `label` 0 or 1. Of each
 * annotator the last one counts, and of several annotators the majority.
 *
 * @throws TrustError `bad_labels` for a record without a flag, or a flag that there is none of; SchemaError `label_shape`;
 *   LabelError `label_ambiguous`, `label_unmatched`
 */
export function flagLabels(rows: readonly Row[], labels: Labels, flags: readonly string[]): FlagLabels {
  const records = recordsOf(labels);
  for (const [i, { flag }] of records.entries()) checkFlag(textOf(flag), i, flags);
  const found = resolveLabels(rows, records, ({ label }) => {
    const value = typeof label === "boolean" ? Number(label) : label;
    return [value === 0 || value === 1 ? (value as 0 | 1) : null, label];
  });
  const said = new Map<number, Map<string, Map<string, 0 | 1>>>();
  for (const { row, value, record } of found.matches) {
    const ofRow = said.get(row) ?? new Map<string, Map<string, 0 | 1>>();
    said.set(row, ofRow);
    const flag = textOf(record.flag);
    const ofFlag = ofRow.get(flag) ?? new Map<string, 0 | 1>();
    ofRow.set(flag, ofFlag);
    ofFlag.set(textOf(record.annotator) || "unknown", value);
  }
  let nTies = 0;
  const majority = (votes: ReadonlyMap<string, 0 | 1>): 0 | 1 | null => {
    const ones = [...votes.values()].filter((vote) => vote === 1).length;
    if (2 * ones === votes.size) nTies++;
    return 2 * ones === votes.size ? null : 2 * ones > votes.size ? 1 : 0;
  };
  const decided = new Map(
    Array.from(said, ([row, ofRow]) => {
      const votes = Array.from(ofRow, ([flag, ofFlag]) => [flag, majority(ofFlag)] as const);
      return [row, new Map(votes.filter((vote): vote is [string, 0 | 1] => vote[1] !== null))] as const;
    }),
  );
  return {
    ...{ labels: decided, nUsed: found.matches.length, nInvalid: found.invalid.length, nTies },
    ...{ nUnmatched: found.unmatched.length, unmatched: found.unmatched.slice(0, NAMED) },
  };
}

function checkFlag(flag: string, place: number, flags: readonly string[]): void {
  if (flags.includes(flag)) return;
  if (flag === "") {
    throw new TrustError(
      "bad_labels",
      `Label ${place + 1} names no flag.`,
      'Give each its flag: {"key": "s1#0", "flag": "lie.tests_claimed", "label": 1}.',
    );
  }
  const near = nearestName(flag, flags);
  throw new TrustError(
    "bad_labels",
    `Label ${place + 1} is of the flag ${JSON.stringify(flag)}, and there is none of that name.`,
    near === null
      ? `There are ${counted(flags.length, "flag")}; traceFlagReport names them.`
      : `Write ${near}, if that is meant.`,
  );
}

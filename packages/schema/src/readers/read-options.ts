import type { UnsafeIntegers } from "../json/json-text.ts";
import { checkOptions } from "../options/check-options.ts";
import { SchemaError } from "../schema-error.ts";
import { formatNames } from "./formats.ts";

export interface ReadOptions {
  /** `auto` finds out from the first 20 records of each file; a name forces one format on all. */
  format?: string;
  /** `error` names the first five bad rows and their count; `skip` leaves them out and counts them. */
  onBadRow?: "error" | "skip";
  /** Forgive a last line that is not JSON, which a crash leaves behind when rows are appended. */
  tolerateTail?: boolean;
  /** Integers too large for a double: exact text of ids, of all, or of none. */
  unsafeIntegers?: UnsafeIntegers;
  invalidUtf8?: "refuse" | "replace";
  /** Two rows with one `rollout_id` are refused unless they are kept on purpose. */
  duplicates?: "refuse" | "keep";
  /** Column or columns that hold the verdict, first readable one wins. Loose rows only. */
  rewardKey?: string | readonly string[];
  /** Range of the file's scores, mapped linearly onto [0, 1]; the score itself stays in `judge_meta.rating`. */
  scale?: readonly [low: number, high: number];
  /** Scores at or above it are 1, others 0. In the file's own units. */
  threshold?: number;
  /** Keep a reward between 0 and 1 as partial credit. By default only where it stands under `reward`. */
  keepFractional?: boolean;
  /** Keep rollouts that ended in an infrastructure error, ungraded. */
  keepErrors?: boolean;
  /** Written to `lineage.source` instead of the format's own word (`eval` for evaluations). */
  source?: string;
  /** Preference records: two rows of one task, or one row with `chosen` and `rejected`. */
  as?: "rows" | "pairs";
  /** tau-bench: `retail` or `airline`, where the rules do not name it. */
  env?: string;
  /** CSV: the character between cells; found from the header by default. */
  delimiter?: string;
  /**
   * Told of each JSON record with the text it stood in, before a row is made of it: only the text has every digit of
   * its numbers.
   */
  onRecord?: (record: Record<string, unknown>, text: string) => void;
}

/** Every name `ReadOptions` has. */
export const READ_OPTIONS: readonly string[] = [
  "format",
  "onBadRow",
  "tolerateTail",
  "unsafeIntegers",
  "invalidUtf8",
  "duplicates",
  "rewardKey",
  "scale",
  "threshold",
  "keepFractional",
  "keepErrors",
  "source",
  "as",
  "env",
  "delimiter",
  "onRecord",
];

/** Values of the options that take one of a few words. */
const CHOICES: readonly [keyof ReadOptions, readonly string[]][] = [
  ["onBadRow", ["error", "skip"]],
  ["unsafeIntegers", ["ids", "string", "number"]],
  ["invalidUtf8", ["refuse", "replace"]],
  ["duplicates", ["refuse", "keep"]],
  ["as", ["rows", "pairs"]],
];

/** @throws SchemaError `bad_option` for a name or a value that reading does not know */
export function checkReadOptions(options: ReadOptions, more: readonly string[] = []): void {
  checkOptions(options, [...READ_OPTIONS, ...more], (what, fix) => new SchemaError("bad_option", what, fix));
  for (const [name, words] of CHOICES) {
    const value = options[name];
    if (value !== undefined && !words.includes(value as string)) {
      throw new SchemaError("bad_option", `${name} is ${JSON.stringify(value)}.`, `Give ${words.join(" or ")}.`);
    }
  }
  const { format = "auto", scale, threshold, rewardKey } = options;
  const names = ["auto", "csv", ...formatNames()];
  if (!names.includes(format)) {
    throw new SchemaError("format_unknown", `There is no format ${format}.`, `Give one of ${names.join(", ")}.`);
  }
  if (scale !== undefined && !(Number.isFinite(scale[0]) && Number.isFinite(scale[1]) && scale[0] < scale[1])) {
    throw new SchemaError("bad_option", `scale is [${scale}].`, "Give the lowest and the highest score, as [1, 10].");
  }
  if (rewardKey !== undefined && rewardKey.length === 0) {
    throw new SchemaError("bad_option", "rewardKey is empty.", "Name the column that holds the verdict.");
  }
  if (threshold !== undefined && !Number.isFinite(threshold)) {
    throw new SchemaError("bad_option", `threshold is ${threshold}.`, "Give the lowest score that passes.");
  }
}

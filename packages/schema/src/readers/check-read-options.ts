import { checkOptions } from "../options/check-options.ts";
import { SchemaError } from "../schema-error.ts";
import { formatNames } from "./formats.ts";
import type { ReadOptions } from "./read-options.ts";

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
  "filter",
  "scorer",
  "scoreKey",
  "allowPartial",
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

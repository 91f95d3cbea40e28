import { checkOptions, isObject, type Row, textOf } from "@while/schema";
import { median } from "../median.ts";
import { numberIn } from "../options.ts";
import { replyLength } from "../rows/features.ts";
import { isTruncated } from "../rows/is-truncated.ts";
import { SelectError } from "../select-error.ts";

/** Longest reply over the median one, above which the rollouts of one prompt are of very different length. */
export const DEFAULT_MAX_SPREAD = 4;

export interface LengthOptions {
  maxSpread?: number;
}

export interface LengthReport {
  n: number;
  /** Of `replyLength`, in code points; the mean of the middle two. 0 without rows. */
  medianChars: number;
  maxChars: number;
  nTruncated: number;
  /** Prompts with two rows or more. */
  nGroupsMulti: number;
  /** Those whose longest reply is more than `maxSpread` times their median one. */
  nGroupsWideSpread: number;
  maxSpread: number;
}

/**
 * How long the replies are, how many were cut, and for how many prompts their lengths differ widely: a group that
 * mixes one-liners and essays lets length stand for quality.
 *
 * @throws SelectError `bad_option`
 */
export function lengthReport(rows: readonly Row[], options: LengthOptions = {}): LengthReport {
  checkOptions(options, ["maxSpread"], (what, fix) => new SelectError("bad_option", what, fix));
  const maxSpread = numberIn("maxSpread", options.maxSpread ?? DEFAULT_MAX_SPREAD, 1, Number.MAX_VALUE);
  const lengths: number[] = [];
  const byPrompt = new Map<string, number[]>();
  let nTruncated = 0;
  for (const row of rows) {
    if (!isObject(row)) continue;
    const length = replyLength(row);
    lengths.push(length);
    if (isTruncated(row)) nTruncated++;
    const prompt = textOf(row.prompt);
    if (prompt === "") continue;
    const group = byPrompt.get(prompt);
    if (group === undefined) byPrompt.set(prompt, [length]);
    else group.push(length);
  }
  const multi = [...byPrompt.values()].filter((group) => group.length > 1);
  return {
    n: lengths.length,
    medianChars: median(lengths),
    maxChars: longest(lengths),
    nTruncated,
    nGroupsMulti: multi.length,
    nGroupsWideSpread: multi.filter((group) => isWide(group, maxSpread)).length,
    maxSpread,
  };
}

function isWide(lengths: readonly number[], maxSpread: number): boolean {
  const middle = median(lengths);
  return middle > 0 && longest(lengths) / middle > maxSpread;
}

function longest(lengths: readonly number[]): number {
  return lengths.reduce((most, length) => Math.max(most, length), 0);
}

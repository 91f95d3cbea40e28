import { assistantText } from "../conversation/assistant-text.ts";
import { isObject } from "../is-object.ts";
import type { Row } from "../row.ts";
import type { RowSource } from "../row-source.ts";
import { SchemaError } from "../schema-error.ts";
import { codePointLength, cutCodePoints } from "../text/code-points.ts";
import { roundHalfEven } from "../text/half-even.ts";
import { normText } from "../text/norm-text.ts";
import { textOf } from "../text/text-of.ts";

/** Shorter quotes are common words and stand in honest replies too. In code points. */
export const LEAK_MIN_QUOTE_CHARS = 12;

/** Hits that a report lists. */
const MAX_LISTED = 20;

/** Code points of a quote that a hit shows. */
const MAX_SHOWN = 80;

/** The parts of the privileged block that a reply could recite, in the order they are looked for. */
const RECITED = ["reference", "principle", "hidden_state"];

export interface LeakOptions {
  /** Fewest code points of a quote that counts. */
  minLen?: number;
}

/** Where a reply quotes its own privileged block; both undefined when it was checked and is clean. */
export interface RowLeak {
  /** Path in the block, such as `hidden_state.answer`. */
  field?: string;
  /** The quote in normal form, at most 80 code points of it. */
  needle?: string;
}

/** One leaking row. */
export interface LeakHit {
  /** Index among the rows given. */
  row: number;
  scenarioId: string | null;
  rolloutIndex: number | null;
  field: string;
  needle: string;
}

/** Which replies quote the privileged context that the agent never saw. */
export interface LeakReport {
  nRows: number;
  /** Rows with something long enough to quote. */
  nChecked: number;
  nLeaked: number;
  /** Leaked of checked, to four decimals; null when no row could be checked, which is no verdict. */
  rate: number | null;
  checked: boolean;
  /** Nothing could be checked, and the rows look exported: the export removed the block at every depth. */
  looksExported: boolean;
  minLen: number;
  /** The first 20 leaking rows. */
  leaked: LeakHit[];
}

interface Needle {
  field: string;
  text: string;
}

/**
 * Does the agent's text quote the row's own `privileged` block (`reference`, `principle`, `hidden_state`)? The export
 * removes the block and cannot remove the quote. Compared in normal form: whitespace collapsed, lower-case.
 *
 * @returns null when the row has nothing to check against, {} when it is clean, else the first quote found
 */
export function rowLeak(row: Row, { minLen = LEAK_MIN_QUOTE_CHARS }: LeakOptions = {}): RowLeak | null {
  checkMinLen(minLen);
  const needles = needlesOf(row.privileged, minLen);
  if (needles.length === 0) return null;
  const said = normText(assistantText(row));
  for (const { field, text } of needles) {
    if (said.includes(text)) return { field, needle: cutCodePoints(text, MAX_SHOWN) };
  }
  return {};
}

/**
 * `rowLeak` over rows that still carry their block; exported rows have lost it and cannot be checked.
 *
 * @param source Rows, or what carries them
 */
export function leakReport(
  source: readonly Row[] | RowSource,
  { minLen = LEAK_MIN_QUOTE_CHARS }: LeakOptions = {},
): LeakReport {
  checkMinLen(minLen);
  const rows = "rows" in source ? source.rows : source;
  const leaked: LeakHit[] = [];
  let nChecked = 0;
  let nLeaked = 0;
  for (const [index, row] of rows.entries()) {
    const leak = rowLeak(row, { minLen });
    if (leak === null) continue;
    nChecked++;
    if (leak.field === undefined || leak.needle === undefined) continue;
    nLeaked++;
    if (leaked.length === MAX_LISTED) continue;
    leaked.push({
      row: index,
      scenarioId: textOf(row.scenario_id) || null,
      rolloutIndex: row.rollout_index ?? null,
      field: leak.field,
      needle: leak.needle,
    });
  }
  return {
    nRows: rows.length,
    nChecked,
    nLeaked,
    rate: nChecked === 0 ? null : roundHalfEven(nLeaked / nChecked, 4),
    checked: nChecked > 0,
    looksExported: nChecked === 0 && rows.some((row) => "scenario_id" in row && !isObject(row.privileged)),
    minLen,
    leaked,
  };
}

/** The texts of a privileged block that are long enough to be a quote, in normal form. */
export function privilegedTexts(block: unknown, minLen: number = LEAK_MIN_QUOTE_CHARS): string[] {
  return needlesOf(block, minLen).map(({ text }) => text);
}

function needlesOf(block: unknown, minLen: number): Needle[] {
  const needles: Needle[] = [];
  if (!isObject(block)) return needles;
  for (const field of RECITED) collect(block[field], field, minLen, needles);
  return needles;
}

function collect(value: unknown, field: string, minLen: number, into: Needle[]): void {
  if (typeof value === "string") {
    const text = normText(value);
    if (codePointLength(text) >= minLen) into.push({ field, text });
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, field, minLen, into);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) collect(value[key], `${field}.${key}`, minLen, into);
  }
}

function checkMinLen(minLen: number): void {
  if (Number.isInteger(minLen) && minLen >= 1) return;
  throw new SchemaError("bad_option", `minLen is ${minLen}.`, "Give the fewest characters of a quote, 1 or more.");
}

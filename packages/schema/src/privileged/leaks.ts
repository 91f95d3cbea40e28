import { assistantText } from "../conversation/assistant-text.ts";
import { blockText } from "../conversation/block-text.ts";
import { messagesOf } from "../conversation/conversation.ts";
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

/** `v1`: any quote counts. `v2`: not one of words that the agent had been shown before it said them. */
export type LeakRules = "v1" | "v2";

export interface LeakOptions {
  /** Fewest code points of a quote that counts. */
  minLen?: number;
  rules?: LeakRules;
}

/** Where a reply quotes its own privileged block; all undefined when it was checked and nothing was quoted. */
export interface RowLeak {
  /** Path in the block, such as `hidden_state.answer`. */
  field?: string;
  /** The quote in normal form, at most 80 code points of it. */
  needle?: string;
  /** Path of a text that was quoted after the agent had been shown it. Not a leak. */
  shown?: string;
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
  rules: LeakRules;
  nRows: number;
  /** Rows with something long enough to quote. */
  nChecked: number;
  nLeaked: number;
  /** Rows that quote their block only in words which the user or a tool had said first. Not leaks. */
  nShown: number;
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
 * Words which the prompt, the system prompt, the user or a tool had said before the agent did are no leak: a customer
 * number that the customer gave is the agent's to repeat. The Python SDK counts them; so does `rules: "v1"`.
 *
 * @returns null when the row has nothing to check against, else the first leak, or what was quoted and is none
 * @throws SchemaError `bad_option`
 */
export function rowLeak(row: Row, { minLen = LEAK_MIN_QUOTE_CHARS, rules = "v2" }: LeakOptions = {}): RowLeak | null {
  checkOptions({ minLen, rules });
  return findLeak(row, minLen, rules);
}

/**
 * `rowLeak` over rows that still carry their block; exported rows have lost it and cannot be checked.
 *
 * @param source Rows, or what carries them
 * @throws SchemaError `bad_option`
 */
export function leakReport(source: readonly Row[] | RowSource, options: LeakOptions = {}): LeakReport {
  const tally = new LeakTally(options);
  for (const row of "rows" in source ? source.rows : source) tally.add(row);
  return tally.report();
}

/** Collects rows for `leakReport`, for callers who see them one by one. */
export class LeakTally {
  private readonly minLen: number;
  private readonly rules: LeakRules;
  private readonly leaked: LeakHit[] = [];
  private nRows = 0;
  private nChecked = 0;
  private nLeaked = 0;
  private nShown = 0;
  private nStripped = 0;

  constructor({ minLen = LEAK_MIN_QUOTE_CHARS, rules = "v2" }: LeakOptions = {}) {
    checkOptions({ minLen, rules });
    this.minLen = minLen;
    this.rules = rules;
  }

  /** @returns What `rowLeak` says of the row. */
  add(row: Row): RowLeak | null {
    const index = this.nRows++;
    if ("scenario_id" in row && !isObject(row.privileged)) this.nStripped++;
    const leak = findLeak(row, this.minLen, this.rules);
    if (leak === null) return null;
    this.nChecked++;
    if (leak.field !== undefined && leak.needle !== undefined) {
      this.nLeaked++;
      if (this.leaked.length < MAX_LISTED) {
        this.leaked.push({
          row: index,
          scenarioId: textOf(row.scenario_id) || null,
          rolloutIndex: row.rollout_index ?? null,
          field: leak.field,
          needle: leak.needle,
        });
      }
    } else if (leak.shown !== undefined) {
      this.nShown++;
    }
    return leak;
  }

  report(): LeakReport {
    const { nRows, nChecked, nLeaked } = this;
    return {
      rules: this.rules,
      nRows,
      nChecked,
      nLeaked,
      nShown: this.nShown,
      rate: nChecked === 0 ? null : roundHalfEven(nLeaked / nChecked, 4),
      checked: nChecked > 0,
      looksExported: nChecked === 0 && this.nStripped > 0,
      minLen: this.minLen,
      leaked: this.leaked,
    };
  }
}

function findLeak(row: Row, minLen: number, rules: LeakRules): RowLeak | null {
  const needles = needlesOf(row.privileged, minLen);
  if (needles.length === 0) return null;
  const said = normText(assistantText(row));
  const quoted = needles.filter(({ text }) => said.includes(text));
  if (quoted.length === 0) return {};
  const shown = rules === "v1" ? new Set<string>() : shownFirst(row, quoted);
  const leak = quoted.find(({ text }) => !shown.has(text));
  if (leak === undefined) return { shown: quoted[0]!.field };
  return { field: leak.field, needle: cutCodePoints(leak.text, MAX_SHOWN) };
}

/** Of the texts quoted, those that stood in front of the agent before it said them. */
function shownFirst(row: Row, quoted: readonly Needle[]): Set<string> {
  const shown = new Set<string>();
  const said = new Set<string>();
  const hear = (text: string) => {
    for (const needle of quoted) if (!said.has(needle.text) && text.includes(needle.text)) shown.add(needle.text);
  };
  hear(normText(textOf(row.system_prompt)));
  hear(normText(textOf(row.prompt)));
  for (const message of messagesOf(row)) {
    const text = normText(blockText(message?.content));
    if (message?.role !== "assistant") hear(text);
    else for (const needle of quoted) if (text.includes(needle.text)) said.add(needle.text);
  }
  return shown;
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

function checkOptions({ minLen, rules }: Required<LeakOptions>): void {
  if (!Number.isInteger(minLen) || minLen < 1) {
    throw new SchemaError("bad_option", `minLen is ${minLen}.`, "Give the fewest characters of a quote, 1 or more.");
  }
  if (rules !== "v1" && rules !== "v2") {
    throw new SchemaError(
      "bad_option",
      `rules is ${JSON.stringify(rules)}.`,
      'Pass "v2", or "v1" for the Python SDK\'s.',
    );
  }
}

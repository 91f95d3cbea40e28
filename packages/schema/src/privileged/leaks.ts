import { assistantText } from "../conversation/assistant-text.ts";
import { isObject } from "../is-object.ts";
import type { Row } from "../row.ts";
import type { RowSource } from "../row-source.ts";
import { SchemaError } from "../schema-error.ts";
import { codePointLength, cutCodePoints } from "../text/code-points.ts";
import { roundHalfEven } from "../text/half-even.ts";
import { normText } from "../text/norm-text.ts";
import { textOf } from "../text/text-of.ts";
import { type LeakCarrier, type Said, saidIn, turnsOf } from "./carriers.ts";
import { LEAK_MIN_QUOTE_CHARS, type Needle, needlesOf, quotesOf, wordsOf } from "./needles.ts";
import { allRunsOf, commonRuns, coverageOf, isCommon, type Runs } from "./quote-runs.ts";

/** Share of a quote's words that runs of five have to cover. */
export const LEAK_OVERLAP = 0.8;

/** Hits that a report lists. */
const MAX_LISTED = 20;

/** Code points of a quote that a hit shows. */
const MAX_SHOWN = 80;

/** Code points of a short answer that is looked for. */
const MIN_SHORT_CHARS = 2;

const NONE: Runs = new Set();

/**
 * `v1`: any reply that holds a text word for word, as the Python SDK counts. `v2`: not what the agent had been shown before it said
 * it, and not how people speak; a quote in parts or with a word changed too, in tool arguments and thoughts too.
 */
export type LeakRules = "v1" | "v2";

export interface LeakOptions {
  /** Fewest code points of a quote that counts. */
  minLen?: number;
  rules?: LeakRules;
  /** Share of a quote's words that runs of five of its words have to cover; 1 takes nothing but the whole of it. */
  overlap?: number;
  /**
   * Runs of words that are how people speak, from `commonRuns`: a quote that is mostly those is not looked for. `leakReport` finds
   * them in its rows; where rows come one by one, nothing is common unless it is given.
   */
  common?: Runs;
}

/** Where a reply quotes its own privileged block; all undefined when it was checked and nothing was quoted. */
export interface RowLeak {
  /** Path in the block, such as `hidden_state.answer`. */
  field?: string;
  /** The quote in normal form, at most 80 code points of it. */
  needle?: string;
  /** What of the agent's the quote stands in. */
  carrier?: LeakCarrier;
  /** Share of its words: 1 for the whole of it, word for word. */
  coverage?: number;
  /** Path of a text that was quoted after the agent had been shown it. Not a leak. */
  shown?: string;
  /** Path of a text that was said and is mostly how people speak. Not a leak. */
  common?: string;
}

/** One leaking row. */
export interface LeakHit {
  /** Index among the rows given. */
  row: number;
  scenarioId: string | null;
  rolloutIndex: number | null;
  field: string;
  needle: string;
  carrier: LeakCarrier;
  coverage: number;
}

/** A text that was said and counts as no leak. */
export interface SkippedNeedle {
  field: string;
  needle: string;
  /** `shown`: the agent had heard it first. `common`: it is how people speak. */
  reason: "shown" | "common";
  nRows: number;
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
  /** Rows that quote it only in words that are how people speak. Not leaks. */
  nCommon: number;
  /**
   * Rows that say an answer of the block too short for a quote, a word or a number, which they had not been shown. A right
   * answer looks so too: listed, and no leak by itself.
   */
  nShort: number;
  /** Leaked of checked, to four decimals; null when no row could be checked, which is no verdict. */
  rate: number | null;
  checked: boolean;
  /** Nothing could be checked, and the rows look exported: the export removed the block at every depth. */
  looksExported: boolean;
  minLen: number;
  overlap: number;
  /** The first 20 leaking rows. */
  leaked: LeakHit[];
  /** The first 20 rows with a short answer. */
  short: LeakHit[];
  /** Quotes that were said and are no leak, and why; the first 20. */
  skipped: SkippedNeedle[];
}

/**
 * Does the agent's text quote the row's own `privileged` block (`reference`, `principle`, `hidden_state`)? The export
 * removes the block and cannot remove the quote. Compared in normal form: whitespace collapsed, lower-case. A quote counts in
 * the reply, in the arguments of a call and in thoughts; whole, or as runs of five of its words that cover four fifths of
 * them. A translation, and a paraphrase that shares no five words, pass.
 *
 * Words which the prompt, the system prompt, the user or a tool had said before the agent did are no leak: a customer
 * number that the customer gave is the agent's to repeat. The Python SDK counts them; so does `rules: "v1"`.
 *
 * @returns null when the row has nothing to check against, else the first leak, or what was quoted and is none
 * @throws SchemaError `bad_option`
 */
export function rowLeak(row: Row, options: LeakOptions = {}): RowLeak | null {
  return findLeak(row, settingsOf(options));
}

/**
 * Answers of the row's block that are too short for a quote, as whole words, where the agent had not been shown them. What they
 * are worth, a person says: a right answer is said so as well.
 *
 * @throws SchemaError `bad_option`
 */
export function shortLeaks(
  row: Row,
  options: LeakOptions = {},
): { field: string; needle: string; carrier: LeakCarrier }[] {
  return findShort(row, settingsOf(options));
}

/**
 * `rowLeak` over rows that still carry their block; exported rows have lost it and cannot be checked. What is common is found
 * in the rows themselves.
 *
 * @param source Rows, or what carries them
 * @throws SchemaError `bad_option`
 */
export function leakReport(source: readonly Row[] | RowSource, options: LeakOptions = {}): LeakReport {
  const rows = "rows" in source ? source.rows : source;
  const { rules, minLen } = settingsOf(options);
  const common = options.common ?? (rules === "v1" ? NONE : commonRuns(rows, minLen));
  const tally = new LeakTally({ ...options, common });
  for (const row of rows) tally.add(row);
  return tally.report();
}

/** Collects rows for `leakReport`, for callers who see them one by one. */
export class LeakTally {
  private readonly settings: Required<LeakOptions>;
  private readonly leaked: LeakHit[] = [];
  private readonly short: LeakHit[] = [];
  private readonly skipped = new Map<string, SkippedNeedle>();
  private nRows = 0;
  private nChecked = 0;
  private nLeaked = 0;
  private nShown = 0;
  private nCommon = 0;
  private nShort = 0;
  private nStripped = 0;

  constructor(options: LeakOptions = {}) {
    this.settings = settingsOf(options);
  }

  /** @returns What `rowLeak` says of the row. */
  add(row: Row): RowLeak | null {
    const index = this.nRows++;
    if ("scenario_id" in row && !isObject(row.privileged)) this.nStripped++;
    const [short] = findShort(row, this.settings);
    if (short !== undefined) {
      this.nShort++;
      if (this.short.length < MAX_LISTED) this.short.push(hitOf(row, index, { ...short, coverage: 1 }));
    }
    const leak = findLeak(row, this.settings);
    if (leak === null) return null;
    this.nChecked++;
    const { field, needle, carrier, coverage, shown, common } = leak;
    if (field !== undefined && needle !== undefined && carrier !== undefined && coverage !== undefined) {
      this.nLeaked++;
      if (this.leaked.length < MAX_LISTED) this.leaked.push(hitOf(row, index, { field, needle, carrier, coverage }));
    } else if (shown !== undefined) {
      this.nShown++;
      this.skip(row, shown, "shown");
    } else if (common !== undefined) {
      this.nCommon++;
      this.skip(row, common, "common");
    }
    return leak;
  }

  private skip(row: Row, field: string, reason: SkippedNeedle["reason"]): void {
    const { quotes } = needlesOf(row.privileged, this.settings.minLen);
    const needle = cutCodePoints(quotes.find((quote) => quote.field === field)?.text ?? "", MAX_SHOWN);
    const key = `${reason} ${field} ${needle}`;
    const known = this.skipped.get(key);
    if (known !== undefined) known.nRows++;
    else if (this.skipped.size < MAX_LISTED) this.skipped.set(key, { field, needle, reason, nRows: 1 });
  }

  report(): LeakReport {
    const { nRows, nChecked, nLeaked } = this;
    return {
      rules: this.settings.rules,
      nRows,
      nChecked,
      nLeaked,
      nShown: this.nShown,
      nCommon: this.nCommon,
      nShort: this.nShort,
      rate: nChecked === 0 ? null : roundHalfEven(nLeaked / nChecked, 4),
      checked: nChecked > 0,
      looksExported: nChecked === 0 && this.nStripped > 0,
      minLen: this.settings.minLen,
      overlap: this.settings.overlap,
      leaked: this.leaked,
      short: this.short,
      skipped: [...this.skipped.values()],
    };
  }
}

function hitOf(row: Row, index: number, found: Pick<LeakHit, "field" | "needle" | "carrier" | "coverage">): LeakHit {
  const rolloutIndex = row.rollout_index ?? null;
  return { row: index, scenarioId: textOf(row.scenario_id) || null, rolloutIndex, ...found };
}

function findLeak(row: Row, settings: Required<LeakOptions>): RowLeak | null {
  if (settings.rules === "v1") return findVerbatim(row, settings.minLen);
  const { quotes } = needlesOf(row.privileged, settings.minLen);
  if (quotes.length === 0) return null;
  const said = saidIn(row);
  const runs = said.map(({ text }) => lazily(() => allRunsOf(text)));
  const verbatim: (Needle & { carrier: LeakCarrier })[] = [];
  const inParts: { needle: Needle; words: string[]; carrier: LeakCarrier; at: number }[] = [];
  let common: string | undefined;
  for (const needle of quotes) {
    const words = wordsOf(needle.text);
    const whole = said.find(({ text }) => text.includes(needle.text));
    const at = whole !== undefined ? -1 : runs.findIndex((run) => coverageOf(words, run()) >= settings.overlap);
    if (whole === undefined && at < 0) continue;
    if (isCommon(words, settings.common)) common ??= needle.field;
    else if (whole !== undefined) verbatim.push({ ...needle, carrier: whole.carrier });
    else inParts.push({ needle, words, carrier: said[at]!.carrier, at });
  }
  if (verbatim.length === 0 && inParts.length === 0) return common === undefined ? {} : { common };
  const shown = shownFirst(row, verbatim);
  const leak = verbatim.find(({ text }) => !shown.has(text));
  if (leak !== undefined) {
    return { field: leak.field, needle: cutCodePoints(leak.text, MAX_SHOWN), carrier: leak.carrier, coverage: 1 };
  }
  const heard = inParts.length === 0 ? NONE : heardRuns(row);
  for (const { needle, words, carrier, at } of inParts) {
    const own = new Set([...runs[at]!()].filter((run) => !heard.has(run)));
    const coverage = coverageOf(words, own);
    if (coverage < settings.overlap) continue;
    return {
      ...{ field: needle.field, needle: cutCodePoints(needle.text, MAX_SHOWN), carrier },
      coverage: roundHalfEven(coverage, 3),
    };
  }
  return { shown: verbatim[0]?.field ?? inParts[0]!.needle.field };
}

/** Any text of the block, word for word in the reply: the rule of the Python SDK. */
function findVerbatim(row: Row, minLen: number): RowLeak | null {
  const needles = quotesOf(row.privileged, minLen);
  if (needles.length === 0) return null;
  const said = normText(assistantText(row));
  const leak = needles.find(({ text }) => said.includes(text));
  if (leak === undefined) return {};
  return { field: leak.field, needle: cutCodePoints(leak.text, MAX_SHOWN), carrier: "reply", coverage: 1 };
}

function findShort(
  row: Row,
  { minLen, rules }: Required<LeakOptions>,
): { field: string; needle: string; carrier: LeakCarrier }[] {
  if (rules === "v1") return [];
  const short = needlesOf(row.privileged, minLen).short.filter(({ text }) => codePointLength(text) >= MIN_SHORT_CHARS);
  if (short.length === 0) return [];
  const said = saidIn(row);
  const heard = turnsOf(row).flatMap((turn) => turn.heard);
  return short.flatMap(({ field, text }) => {
    const asWord = wordPattern(text);
    const carrier = said.find((one) => asWord.test(one.text))?.carrier;
    if (carrier === undefined || heard.some((one) => asWord.test(one))) return [];
    return [{ field, needle: cutCodePoints(text, MAX_SHOWN), carrier }];
  });
}

/** A text that stands by itself: "42" is in "it is 42." and not in "142", "42.5" or "a42". */
function wordPattern(text: string): RegExp {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}]|\\p{N}[.,])${escaped}(?![\\p{L}\\p{N}]|[.,]\\p{N})`, "u");
}

/** Of the texts quoted, those that stood in front of the agent before it said them. */
function shownFirst(row: Row, quoted: readonly Needle[]): Set<string> {
  const shown = new Set<string>();
  if (quoted.length === 0) return shown;
  const said = new Set<string>();
  const isIn = (texts: readonly string[], needle: string) => texts.some((text) => text.includes(needle));
  for (const turn of turnsOf(row)) {
    const own = turn.said.map(({ text }: Said) => text);
    for (const { text } of quoted) {
      if (!said.has(text) && isIn(turn.heard, text)) shown.add(text);
      if (isIn(own, text)) said.add(text);
    }
  }
  return shown;
}

/** Runs of everything that stood in front of the agent at some time. */
function heardRuns(row: Row): Runs {
  const heard = new Set<string>();
  for (const turn of turnsOf(row)) for (const text of turn.heard) allRunsOf(text, heard);
  return heard;
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function settingsOf({
  minLen = LEAK_MIN_QUOTE_CHARS,
  rules = "v2",
  overlap = LEAK_OVERLAP,
  common = NONE,
}: LeakOptions): Required<LeakOptions> {
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
  if (typeof overlap !== "number" || !(overlap > 0 && overlap <= 1)) {
    throw new SchemaError("bad_option", `overlap is ${overlap}.`, "Give a share above 0 and at most 1.");
  }
  return { minLen, rules, overlap, common };
}

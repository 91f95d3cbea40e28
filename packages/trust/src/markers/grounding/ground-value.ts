import { normText } from "@while/schema";
import { isAmount, isCalculator, isSetting, isTime, namesId } from "./argument-keys.ts";
import type { ContextText } from "./context-text.ts";
import { PLACE_CODES, PLACE_NAMES } from "./place-names.ts";
import { type CalendarDay, daysApart, namesRelativeDay, readDays } from "./read-dates.ts";
import { numberOf, phoneDigits, readClock } from "./read-numbers.ts";

/** How a value was found: as it is written, or through a reader of its kind. */
export type GroundedHow =
  | "text"
  | "words"
  | "date"
  | "time"
  | "number"
  | "arithmetic"
  | "phone"
  | "place"
  | "alias"
  | "path"
  | "own_file"
  | "schema"
  | "constant";

export interface Grounded {
  how: GroundedHow;
  /** Where it stands: `prompt`, `user turn 3`, `result of get_user`; "" where it stands nowhere, as a constant. */
  source: string;
}

/** What a value is looked for in. */
export interface Ground {
  context: ContextText;
  nPieces: number;
  tool: string;
  path: readonly string[];
  aliases: ReadonlyMap<string, readonly string[]>;
}

/** Settings of a call rather than facts. */
const CONSTANTS: ReadonlySet<string> = new Set(
  "true false yes no null none all any auto default asc desc ascending descending utf-8 json text html plain".split(
    " ",
  ),
);

const READERS: readonly ((value: string, ground: Ground) => Grounded | null)[] = [
  asText,
  asAlias,
  asDate,
  asTime,
  asNumber,
  asPhone,
  asPlace,
  asWords,
];

/** Where a text value comes from, by the first reader that finds it; null when none does. */
export function groundText(value: string, ground: Ground): Grounded | null {
  if (CONSTANTS.has(normText(value))) return { how: "constant", source: "" };
  for (const read of READERS) {
    const grounded = read(normText(value), ground);
    if (grounded !== null) return grounded;
  }
  return null;
}

function asText(value: string, { context, nPieces }: Ground): Grounded | null {
  return found("text", context.findWords(value, nPieces));
}

function asAlias(value: string, ground: Ground): Grounded | null {
  for (const other of ground.aliases.get(value) ?? []) {
    const grounded = found("alias", ground.context.findWords(normText(other), ground.nPieces));
    if (grounded !== null) return grounded;
  }
  return null;
}

/** A date in any spelling; a year that nobody said may be one that was. With a time of day, both. */
function asDate(value: string, { context, nPieces }: Ground): Grounded | null {
  if (value.length > 40) return null;
  const wanted = readDays(value);
  if (wanted.length === 0) return null;
  const days = context.days(nPieces);
  const years = yearsOf(context, nPieces);
  for (const day of wanted) {
    const at = dayAt(day, days, years, context, nPieces);
    if (at === null) continue;
    const clock = readClock(value.replace(/^\S*?\d{4}-\d{2}-\d{2}t?/, ""));
    const isWholeDay = clock.every(({ value: minutes }) => minutes % 1439 === 0 || minutes % 1440 === 0);
    if (isWholeDay || hasTime(clock, context, nPieces) !== null) return found("date", context.sourceAt(at));
  }
  return null;
}

interface Years {
  said: ReadonlySet<number>;
  /** Somebody who knows the date has said one: birthdays of a record do not tell what year it is. */
  isTold: boolean;
}

function yearsOf(context: ContextText, nPieces: number): Years {
  const said = new Set<number>();
  let isTold = false;
  const hear = (year: number, at: number) => {
    said.add(year);
    if (!context.sourceAt(at).startsWith("result of")) isTold = true;
  };
  for (const { year, at } of context.days(nPieces)) if (year !== null) hear(year, at);
  for (const { value, at } of context.numbers(nPieces)) {
    if (Number.isInteger(value) && value >= 1900 && value <= 2100) hear(value, at);
  }
  return { said, isTold };
}

function dayAt(
  wanted: CalendarDay,
  days: readonly CalendarDay[],
  years: Years,
  context: ContextText,
  nPieces: number,
): number | null {
  const { year, month, day } = wanted;
  const yearIsSaid = year === null || !years.isTold || years.said.has(year) || years.said.has(year - 1);
  const same = days.find(
    (said) =>
      said.month === month &&
      said.day === day &&
      (said.year === year || year === null || (said.year === null && yearIsSaid)),
  );
  if (same !== undefined) return same.at;
  if (!yearIsSaid) return null;
  const ordinal = context.ordinals(nPieces).find((said) => said.day === day);
  if (ordinal !== undefined && days.some((said) => said.month === month)) return ordinal.at;
  if (!namesRelativeDay(context.before(nPieces))) return null;
  const near = days.find(
    (said) => (daysApart({ ...said, year: said.year ?? year }, wanted) ?? Number.POSITIVE_INFINITY) <= 7,
  );
  return near?.at ?? null;
}

function asTime(value: string, { context, nPieces }: Ground): Grounded | null {
  if (value.length > 24 || readDays(value).length > 0) return null;
  const at = hasTime(readClock(value), context, nPieces);
  return at === null ? null : found("time", context.sourceAt(at));
}

function hasTime(wanted: readonly { value: number }[], context: ContextText, nPieces: number): number | null {
  const said = context.times(nPieces);
  for (const { value } of wanted) {
    const same = said.find((time) => time.value === value);
    if (same !== undefined) return same.at;
  }
  return null;
}

function asNumber(value: string, ground: Ground): Grounded | null {
  const number = numberOf(value);
  return number === null ? null : equalNumber(number, ground);
}

function equalNumber(number: number, { context, nPieces }: Ground): Grounded | null {
  const same = context.numbers(nPieces).find(({ value }) => value === number);
  return same === undefined ? null : found("number", context.sourceAt(same.at));
}

/** The same digits, with or without a country's in front. */
function asPhone(value: string, { context, nPieces }: Ground): Grounded | null {
  const digits = phoneDigits(value);
  if (digits === null) return null;
  for (const match of context.before(nPieces).matchAll(/\+?[\d(][\d\s().-]{5,22}\d/g)) {
    const said = match[0].replaceAll(/\D/g, "");
    if (said.length >= 7 && (said.endsWith(digits) || digits.endsWith(said)))
      return found("phone", context.sourceAt(match.index));
  }
  return null;
}

function asPlace(value: string, { context, nPieces }: Ground): Grounded | null {
  for (const name of PLACE_NAMES.get(value) ?? []) {
    const grounded = found("place", context.findWords(name, nPieces));
    if (grounded !== null) return grounded;
  }
  for (const code of PLACE_CODES.get(value) ?? []) {
    // "in" and "or" are words: two letters count behind a comma or in quotes alone.
    const at =
      code.length > 2 ? null : context.before(nPieces).search(new RegExp(`[,"'(]\\s?${code}(?![\\p{L}\\p{N}])`, "u"));
    if (at !== null && at >= 0) return found("place", context.sourceAt(at));
    const source = code.length > 2 ? context.findWords(code, nPieces) : null;
    if (source !== null) return found("place", source);
  }
  return null;
}

const SMALL = new Set(["a", "an", "the", "of", "and", "or", "to", "in", "on", "for", "at", "by", "with"]);

/**
 * Names and phrases whose words were all said, apart or in another form: "Mia Li" of two fields, `change_of_plans` of "my
 * plans changed". An id is no phrase: no digits without a blank between, no address of a mail or a page.
 */
function asWords(value: string, { context, nPieces }: Ground): Grounded | null {
  if (/[@/\\]/.test(value)) return null;
  const words = value.split(/[\s_,;.()-]+/).filter((word) => word !== "" && !SMALL.has(word));
  if (words.length === 0 || words.length > 16) return null;
  if (/\d/.test(value) && !/\s/.test(value)) return null;
  let source: string | null = null;
  for (const word of words) {
    const here = context.findWords(word, nPieces) ?? inOtherForm(word, context, nPieces);
    if (here === null) return null;
    source ??= here;
  }
  return found("words", source);
}

/** The stem of a word of five letters or more: "cancelled" where "cancel" was said. */
function inOtherForm(word: string, context: ContextText, nPieces: number): string | null {
  if (!/^\p{L}{5,}$/u.test(word)) return null;
  const stem = word.replace(/(?:ations?|ions?|ings?|ed|es|s|d|ly|ment|er|e|y|al)$/u, "").replace(/(.)\1$/u, "$1");
  if (stem.length < 4) return null;
  const at = context.before(nPieces).search(new RegExp(`(?<![\\p{L}\\p{N}])${stem}\\p{L}{0,6}(?!\\p{N})`, "u"));
  return at < 0 ? null : context.sourceAt(at);
}

/** Which numbers are checked. */
export type NumberCheck = "ids" | "all" | "off";

/** Whether a number is checked at all: by `ids`, what names a thing, and whole numbers of four digits that are no setting. */
export function isChecked(value: number, path: readonly string[], numbers: NumberCheck): boolean {
  if (numbers === "off") return false;
  if (numbers === "all" || namesId(path)) return true;
  return Number.isInteger(value) && Math.abs(value) >= 1000 && !isSetting(path);
}

/** Where a number comes from: an equal one, or, for an amount, a calculation with two that were said. */
export function groundNumber(value: number, ground: Ground): Grounded | null {
  const { context, nPieces, tool, path } = ground;
  const equal = equalNumber(value, ground) ?? found("text", context.findWords(String(value), nPieces));
  if (equal !== null) return equal;
  if (isTime(path) && Number.isInteger(value) && value >= 1e8) {
    const iso = new Date(value >= 1e11 ? value : value * 1000);
    const date = Number.isNaN(iso.getTime()) ? null : asDate(iso.toISOString().slice(0, 10), ground);
    if (date !== null) return date;
  }
  return isAmount(path) || isCalculator(tool) ? asArithmetic(value, ground) : null;
}

/** Numbers that a calculation is looked for in. */
const MAX_OPERANDS = 400;

function asArithmetic(value: number, { context, nPieces }: Ground): Grounded | null {
  const said = new Map<number, number>();
  for (const { value: number, at } of context.numbers(nPieces)) if (!said.has(number)) said.set(number, at);
  const operands = [...said].slice(-MAX_OPERANDS);
  const same = (x: number) => Math.abs(x - value) < 0.005;
  for (const [a, at] of operands) {
    for (const [b] of operands) {
      if (same(a + b) || same(a - b) || same(a * b) || (b !== 0 && same(a / b)) || same((a * b) / 100)) {
        return found("arithmetic", context.sourceAt(at));
      }
    }
  }
  return null;
}

function found(how: GroundedHow, source: string | null): Grounded | null {
  return source === null ? null : { how, source };
}

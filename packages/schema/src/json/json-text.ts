import type { Json } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { countLoneSurrogates } from "../text/lone-surrogates.ts";

/** Deeper values overflow the stack of writers, so readers refuse them with the line. */
export const MAX_JSON_DEPTH = 512;

/**
 * What becomes of an integer that a double cannot hold: `ids` keeps the exact text of identifiers and takes the
 * nearest double elsewhere, `string` keeps the text of all, `number` of none.
 */
export type UnsafeIntegers = "ids" | "string" | "number";

/** What texts held that `JSON.parse` alone would refuse, round or pass on in silence. Paths are of the first. */
export interface JsonNotes {
  /**
   * Bare `NaN`, `Infinity` and `-Infinity`, and integers of more than 308 digits. All were read as null. `1e999` is
   * JSON and an infinity: fields of a row refuse it, and writers write null and count it. To find it here a search of
   * every text would cost 1.7 µs beside the 10 of `JSON.parse`.
   */
  nonFinite: number;
  nonFinitePath: string | null;
  /** Integers whose digits a double would have changed: kept as text under an id, rounded elsewhere. */
  unsafeIntegers: number;
  unsafeIntegerPath: string | null;
  /** Halves of surrogate pairs standing alone. They are kept. */
  loneSurrogates: number;
  loneSurrogatePath: string | null;
}

export interface JsonTextOptions {
  unsafeIntegers?: UnsafeIntegers;
  /** Counted into; one object serves a whole file. */
  notes?: JsonNotes;
}

export function emptyNotes(): JsonNotes {
  return {
    nonFinite: 0,
    nonFinitePath: null,
    unsafeIntegers: 0,
    unsafeIntegerPath: null,
    loneSurrogates: 0,
    loneSurrogatePath: null,
  };
}

/**
 * One JSON text, as Python, JavaScript and databases write it: `JSON.parse`, and beyond it the bare tokens `NaN`
 * and `±Infinity` as null, ids of any length digit by digit, and a limit on depth.
 *
 * `JSON.parse` does the work wherever it can. What it would get wrong is searched for with three scans that leave
 * most bytes unread: on rollouts of 4.8 KB they add 3.5 µs to the 10 µs of `JSON.parse` (a loop over every byte adds
 * 8). Only a text in which they find something goes through the parser of this file, which takes four times as long.
 *
 * @throws SchemaError `bad_line` with the place inside the text
 */
export function parseJsonText(
  text: string,
  { unsafeIntegers = "ids", notes = emptyNotes() }: JsonTextOptions = {},
): Json {
  if (mayBeDeep(text)) refuseDepth(text);
  if (hasLongInteger(text)) return new Parser(text, unsafeIntegers, notes).parse();
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser below either accepts the text (bare NaN) or says in our words, and with the column, what is wrong.
    return new Parser(text, unsafeIntegers, notes).parse();
  }
  noteLoneSurrogates(text, value, notes);
  return value;
}

/**
 * JSON inside a string of a row, such as the arguments of a tool call: plain JSON, except that ids keep their digits
 * and that values too deep to be written again are none.
 *
 * @throws SyntaxError or SchemaError for text that is not JSON
 */
export function parseEmbeddedJson(text: string): Json {
  return hasLongInteger(text) || mayBeDeep(text) ? parseJsonText(text) : JSON.parse(text);
}

/** A key whose numbers name something: `id`, `order_id`, `userId`, `ids`. Two of them must never become one. */
export function isIdKey(key: string): boolean {
  return /(?:^|_)ids?$|[a-z0-9]I[dD]s?$/.test(key);
}

/** More than 512 levels need more than 512 openers; `indexOf` finds those without a look at what lies between. */
function mayBeDeep(text: string): boolean {
  if (text.length <= 2 * MAX_JSON_DEPTH) return false;
  let openers = 0;
  for (const opener of ["{", "["]) {
    for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) {
      if (++openers > MAX_JSON_DEPTH) return true;
    }
  }
  return false;
}

function refuseDepth(text: string): void {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      i = endOfString(text, i + 1);
    } else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      if (++depth > MAX_JSON_DEPTH) {
        throw fault(text, i, `nests deeper than ${MAX_JSON_DEPTH} levels`, "Flatten the value, or keep it as text.");
      }
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) {
      depth--;
    }
  }
}

/** Index of the closing quote, or the text's length when there is none. */
function endOfString(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === BACKSLASH) i++;
    else if (unit === QUOTE) return i;
  }
  return text.length;
}

/**
 * Whether the text may hold an integer of 16 digits or more, the first that a double may change. Sixteen digits
 * in a row must cover an index that is a multiple of 16, so only those are looked at. The digits behind a decimal
 * point (0.30000000000000004, in every file that Python wrote) and those that touch a letter or a quote are none.
 */
function hasLongInteger(text: string): boolean {
  for (let i = 0; i < text.length; i += 16) {
    if (!isDigit(text.charCodeAt(i))) continue;
    let start = i;
    let end = i + 1;
    while (isDigit(text.charCodeAt(start - 1))) start--;
    while (isDigit(text.charCodeAt(end))) end++;
    if (end - start >= 16 && mayStartNumber(text.charCodeAt(start - 1)) && mayEndInteger(text.charCodeAt(end))) {
      return true;
    }
    i = end - (end % 16);
  }
  return false;
}

function mayStartNumber(unit: number): boolean {
  // NaN stands for the edge of the text.
  return (
    isBlank(unit) || unit === COLON || unit === COMMA || unit === OPEN_BRACKET || unit === MINUS || Number.isNaN(unit)
  );
}

function mayEndInteger(unit: number): boolean {
  return isBlank(unit) || unit === COMMA || unit === CLOSE_BRACKET || unit === CLOSE_BRACE || Number.isNaN(unit);
}

/** Every escape of a text in turn, so that `\\ud835`, a backslash and four letters, is none. */
const ESCAPES = /\\(?:u[dD][89abAB]..(?:\\u[dD][c-fC-F]..)?|u[dD][c-fC-F]..|.)/g;

function noteLoneSurrogates(text: string, value: Json, notes: JsonNotes): void {
  // One search for any escape by number: rows of tool calls are full of other escapes, and each costs a stop.
  // Python escapes every é; only halves of pairs begin with a d.
  if (!text.includes("\\u") || (!text.includes("\\ud") && !text.includes("\\uD"))) return;
  let lone = 0;
  for (const [escaped] of text.matchAll(ESCAPES)) {
    // A pair is twelve characters long, other escapes two; six are left for half a pair.
    if (escaped.length === 6) lone++;
  }
  if (lone === 0) return;
  notes.loneSurrogates += lone;
  notes.loneSurrogatePath ??= pathWhere(value, (string) => countLoneSurrogates(string) > 0) ?? "";
}

/** Path of the first string, key or value, that satisfies `holds`. */
function pathWhere(value: Json, holds: (text: string) => boolean, path: readonly Key[] = []): string | null {
  if (typeof value === "string") return holds(value) ? pathText(path) : null;
  if (value === null || typeof value !== "object") return null;
  const entries: [Key, Json][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [key, item] of entries) {
    const here = [...path, key];
    if (typeof key === "string" && holds(key)) return pathText(here);
    const found = pathWhere(item, holds, here);
    if (found !== null) return found;
  }
  return null;
}

type Key = string | number;

/** `steps[0].result.order_id` */
function pathText(path: readonly Key[]): string {
  let text = "";
  for (const key of path) {
    if (typeof key === "number") text += `[${key}]`;
    else text += text === "" ? key : `.${key}`;
  }
  return text;
}

/** The words by which Python writes numbers that JSON does not have. */
const BARE = ["NaN", "Infinity", "-Infinity"];

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** The careful parser: knows where it is, so it can tell an id from a measurement and name the column of a fault. */
class Parser {
  readonly #text: string;
  readonly #unsafeIntegers: UnsafeIntegers;
  readonly #notes: JsonNotes;
  readonly #path: Key[] = [];
  #at = 0;

  constructor(text: string, unsafeIntegers: UnsafeIntegers, notes: JsonNotes) {
    this.#text = text;
    this.#unsafeIntegers = unsafeIntegers;
    this.#notes = notes;
  }

  parse(): Json {
    const value = this.#value();
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw this.#fault(this.#at, "goes on after its value has ended");
    return value;
  }

  #value(): Json {
    this.#skipBlanks();
    const unit = this.#text.charCodeAt(this.#at);
    if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      if (this.#path.length >= MAX_JSON_DEPTH) {
        throw this.#fault(this.#at, `nests deeper than ${MAX_JSON_DEPTH} levels`);
      }
      return unit === OPEN_BRACE ? this.#object() : this.#array();
    }
    if (unit === QUOTE) return this.#string();
    if (unit === MINUS || isDigit(unit)) return this.#number();
    for (const [word, value] of LITERALS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#bare();
  }

  #object(): Json {
    const object: { [key: string]: Json } = {};
    this.#at++;
    this.#skipBlanks();
    if (this.#takes(CLOSE_BRACE)) return object;
    do {
      this.#skipBlanks();
      if (this.#text.charCodeAt(this.#at) !== QUOTE) throw this.#unexpected("a key in double quotes");
      const key = this.#string();
      this.#skipBlanks();
      if (!this.#takes(COLON)) throw this.#unexpected('":" behind a key');
      this.#path.push(key);
      const value = this.#value();
      this.#path.pop();
      // A plain assignment would set the prototype; as in JSON.parse, `__proto__` is a key like any other.
      if (key === "__proto__") {
        Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
      } else {
        object[key] = value;
      }
      this.#skipBlanks();
    } while (this.#takes(COMMA));
    if (!this.#takes(CLOSE_BRACE)) throw this.#unexpected('"," or "}"');
    return object;
  }

  #array(): Json {
    const array: Json[] = [];
    this.#at++;
    this.#skipBlanks();
    if (this.#takes(CLOSE_BRACKET)) return array;
    do {
      this.#path.push(array.length);
      array.push(this.#value());
      this.#path.pop();
      this.#skipBlanks();
    } while (this.#takes(COMMA));
    if (!this.#takes(CLOSE_BRACKET)) throw this.#unexpected('"," or "]"');
    return array;
  }

  #string(): string {
    const start = this.#at;
    const end = endOfString(this.#text, start + 1);
    if (end >= this.#text.length) throw this.#fault(start, "ends inside a string");
    const quoted = this.#text.slice(start, end + 1);
    this.#at = end + 1;
    try {
      const string: string = JSON.parse(quoted);
      const lone = quoted.includes("\\") ? countLoneSurrogates(string) : 0;
      if (lone > 0) {
        this.#notes.loneSurrogates += lone;
        this.#notes.loneSurrogatePath ??= pathText(this.#path);
      }
      return string;
    } catch {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
      const control = quoted.search(/[\u0000-\u001f]/);
      if (control >= 0) throw this.#fault(start + control, "has a raw control character in a string");
      const escaped = quoted.search(/\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})/);
      throw this.#fault(start + Math.max(escaped, 0), "has an escape that JSON does not know");
    }
  }

  #number(): Json {
    NUMBER.lastIndex = this.#at;
    const text = NUMBER.exec(this.#text)?.[0];
    if (text === undefined) return this.#bare();
    const start = this.#at;
    this.#at += text.length;
    const next = this.#text.charCodeAt(this.#at);
    if (isDigit(next) || next === DOT) throw this.#fault(start, "has a number that JSON does not know");
    const value = Number(text);
    // `1e999` too is what JSON.parse makes of it: whether some other number sent the text here must not show.
    if (Number.isSafeInteger(value) || /[.eE]/.test(text)) return value;
    if (!Number.isFinite(value)) return this.#isKeptAsText(text) ? this.#exactly(text) : this.#nonFinite();
    if (this.#isKeptAsText(text)) return this.#exactly(text);
    if (BigInt(value) !== BigInt(text)) this.#noteUnsafe();
    return value;
  }

  #isKeptAsText(text: string): boolean {
    if (/[.eE]/.test(text) || this.#unsafeIntegers === "number") return false;
    if (this.#unsafeIntegers === "string") return true;
    // The items of `order_ids` are ids too.
    const key = this.#path.findLast((step) => typeof step === "string");
    return key !== undefined && isIdKey(key as string);
  }

  #exactly(text: string): string {
    this.#noteUnsafe();
    return text;
  }

  #noteUnsafe(): void {
    this.#notes.unsafeIntegers++;
    this.#notes.unsafeIntegerPath ??= pathText(this.#path);
  }

  #bare(): null {
    for (const word of BARE) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return this.#nonFinite();
      }
    }
    throw this.#unexpected("a value");
  }

  #nonFinite(): null {
    this.#notes.nonFinite++;
    this.#notes.nonFinitePath ??= pathText(this.#path);
    return null;
  }

  #skipBlanks(): void {
    while (isBlank(this.#text.charCodeAt(this.#at))) this.#at++;
  }

  #takes(unit: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== unit) return false;
    this.#at++;
    return true;
  }

  #unexpected(wanted: string): SchemaError {
    const seen = this.#text.codePointAt(this.#at);
    if (seen === undefined) return this.#fault(this.#at, `ends where ${wanted} should stand`);
    return this.#fault(this.#at, `has ${JSON.stringify(String.fromCodePoint(seen))} where ${wanted} should stand`);
  }

  #fault(at: number, what: string): SchemaError {
    return fault(this.#text, at, what, "Repair the line, or write one JSON object a line.");
  }
}

function fault(text: string, at: number, what: string, fix: string): SchemaError {
  const before = text.slice(0, at);
  const lastBreak = before.lastIndexOf("\n");
  const line = before.split("\n").length;
  const column = Array.from(before.slice(lastBreak + 1)).length + 1;
  return new SchemaError("bad_line", `The text ${what}.`, fix, { place: { line, column } });
}

const LITERALS: readonly [string, Json][] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

import { isObject } from "../is-object.ts";
import { SchemaError } from "../schema-error.ts";
import type { ByteList } from "./byte-list.ts";
import { emptyNotes, type JsonNotes, parseJsonText, type UnsafeIntegers } from "./json-text.ts";

/** Rollouts that are walked over: a list, or what is parsed on the way. */
export type Items = Iterable<unknown> & { readonly length: number };

/** The items of a document that is not in memory as a whole. */
export interface DocumentItems extends Items {
  /** The document with all of its items, parsed at once. */
  whole(): Record<string, unknown>;
}

/** A document that is no list of rows is parsed as a whole; evaluations write their runs so. */
export const MAX_DOCUMENT_BYTES: number = 256 * 2 ** 20;

/** A smaller document is parsed at once: nobody misses the memory. */
const MIN_BYTES: number = 2 ** 20;

/** Items left in the document, to know its format by. */
const HEAD_ITEMS = 20;

interface ItemOptions {
  decode: (bytes: Uint8Array) => string;
  unsafeIntegers: UnsafeIntegers;
  /** Counted into, once for the document. */
  notes: JsonNotes;
}

/**
 * A large document as what stands around its list of rollouts, and the items, each parsed when it is walked over: in
 * memory are the bytes and one item, a seventh of what the whole takes.
 *
 * @returns null for a small document, one without such a list, and one that is no JSON, which is to be parsed at once
 */
export function documentItems(
  bytes: ByteList,
  options: ItemOptions,
): { value: Record<string, unknown>; items: DocumentItems } | null {
  const places = bytes.length < MIN_BYTES ? null : itemPlaces(bytes);
  if (places === null) return null;
  const { path, from, to, starts } = places;
  const { decode, unsafeIntegers } = options;
  const notes = emptyNotes();
  const parsed = (text: string, into: JsonNotes) => parseJsonText(text, { unsafeIntegers, notes: into });
  const itemAt = (index: number, into: JsonNotes) => {
    const end = index + 1 < starts.length ? starts[index + 1]! - 1 : to;
    return parsed(decode(bytes.slice(starts[index]!, end)), into);
  };
  const textAround = (inside: string) => decode(bytes.slice(0, from)) + inside + decode(bytes.slice(to, bytes.length));
  const isLong = bytes.length > MAX_DOCUMENT_BYTES;
  let place = `around ${path.join(".")}`;
  try {
    const value = parsed(textAround(""), notes);
    const list = isObject(value) ? listAt(value, path) : null;
    if (!isObject(value) || list === null) return null;
    // Once over all of them: what is no JSON is found before any row is made, and said of the document.
    for (let index = 0; index < starts.length; index++) {
      const before = { ...notes };
      place = `${path.join(".")}[${index}]`;
      const item = itemAt(index, notes);
      notePlace(notes, before, place);
      if (index < HEAD_ITEMS) list.push(item);
    }
    addNotes(options.notes, notes);
    const items = {
      length: starts.length,
      *[Symbol.iterator]() {
        for (let index = 0; index < starts.length; index++) yield itemAt(index, emptyNotes());
      },
      whole() {
        if (isLong) throw tooLong("is read as a whole");
        return parsed(textAround(decode(bytes.slice(from, to))), emptyNotes()) as Record<string, unknown>;
      },
    };
    return { value, items };
  } catch (error) {
    if (isLong && error instanceof SchemaError) throw tooLong(`is damaged at ${place}: ${error.what}`);
    if (isLong && error instanceof TypeError) throw tooLong(`is not UTF-8 at ${place}`);
    // Bytes that are no UTF-8 are a TypeError. Whoever parses the whole says where and what.
    if (error instanceof SchemaError || error instanceof TypeError) return null;
    throw error;
  }
}

function tooLong(what: string): SchemaError {
  const mib = MAX_DOCUMENT_BYTES / 2 ** 20;
  return new SchemaError(
    "bad_file",
    `It is one JSON document of more than ${mib} MiB that ${what.replace(/\.$/, "")}.`,
    "Write the run again, or one row a line.",
  );
}

function listAt(value: Record<string, unknown>, path: readonly string[]): unknown[] | null {
  let at: unknown = value;
  for (const key of path) at = isObject(at) ? at[key] : undefined;
  return Array.isArray(at) && at.length === 0 ? at : null;
}

const NOTES = [
  ["nonFinite", "nonFinitePath"],
  ["unsafeIntegers", "unsafeIntegerPath"],
  ["loneSurrogates", "loneSurrogatePath"],
] as const;

/** Puts the place of the item in front of the path of what was first noted in it. */
function notePlace(notes: JsonNotes, before: JsonNotes, place: string): void {
  for (const [, path] of NOTES) {
    if (before[path] === null && notes[path] !== null) notes[path] = `${place}.${notes[path]}`;
  }
}

function addNotes(notes: JsonNotes, more: JsonNotes): void {
  for (const [count, path] of NOTES) {
    notes[count] += more[count];
    notes[path] ??= more[path];
  }
}

/** Where tools keep the rollouts of a run that is one document: Inspect, tau2-bench, promptfoo, DeepEval. */
const ITEM_PATHS: ReadonlySet<string> = new Set([
  ...["samples", "simulations", "results", "results.results", "testCases", "conversationalTestCases"],
  ...["testRunData.testCases", "testRunData.conversationalTestCases"],
]);

const MAX_PATH = 2;

/** The place of a list in a document, by bytes. */
interface ItemPlaces {
  /** The keys on the way to it. */
  path: readonly string[];
  /** Behind its `[`, and its `]`. */
  from: number;
  to: number;
  /** Where the items begin, each up to the comma in front of the next one. */
  starts: readonly number[];
}

/**
 * Finds the list that holds the rollouts of a document, so that they can be parsed one at a time. It finds edges and
 * checks nothing else; that the document is JSON shows when its items, and what is around them, are parsed.
 *
 * @returns null where there is none, or more than one that could be it
 */
function itemPlaces(bytes: ByteList): ItemPlaces | null {
  const scan = new Scan();
  for (const part of bytes.parts) scan.push(part);
  // Runs of DeepEval have two lists, of which one is mostly empty. Of two under one key the last counts, as in JSON.
  const [places, ...others] = scan.found.filter(({ isEmpty }) => !isEmpty);
  if (places === undefined || others.length > 0) return null;
  const name = places.path.join(".");
  return scan.found.some((list) => list !== places && list.path.join(".") === name) ? null : places;
}

/** Whether the list of rollouts of a document has begun in these first parts of it. */
export function opensItems(head: Iterable<Uint8Array>): boolean {
  const scan = new Scan();
  for (const part of head) scan.push(part);
  return scan.hasOpened;
}

class Scan {
  readonly found: (ItemPlaces & { isEmpty: boolean })[] = [];
  #offset = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The key in front of the value at each depth; null inside a list. */
  readonly #keys: (string | null)[] = [];
  /** The last string of an object at a depth that matters. */
  #text: number[] | null = null;
  #last = "";
  /** Depth inside the list, while it is open. */
  #listDepth = 0;
  #isEmpty = true;
  #list: { path: string[]; from: number; to: number; starts: number[] } | null = null;

  get hasOpened(): boolean {
    return this.#list !== null || this.found.length > 0;
  }

  push(part: Uint8Array): void {
    for (let i = 0; i < part.length; i++) {
      let byte = part[i]!;
      if (this.#inString) {
        while (byte !== QUOTE && byte !== BACKSLASH && !this.#escaped && this.#text === null) {
          if (++i === part.length) break;
          byte = part[i]!;
        }
        if (i < part.length) this.#insideString(byte);
      } else if (byte >= QUOTE) {
        this.#outside(byte, this.#offset + i);
      }
    }
    this.#offset += part.length;
  }

  #insideString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      if (this.#text !== null) this.#last = String.fromCharCode(...this.#text);
      this.#text = null;
      return;
    }
    // Longer keys are none that are looked for.
    if (this.#text !== null && this.#text.length < 24) this.#text.push(byte);
  }

  #outside(byte: number, at: number): void {
    if (this.#list !== null && this.#depth === this.#listDepth && byte !== CLOSE_BRACKET) this.#isEmpty = false;
    if (byte === QUOTE) {
      this.#inString = true;
      this.#text = this.#depth <= MAX_PATH && this.#list === null ? [] : null;
    } else if (byte === COLON) {
      if (this.#depth <= MAX_PATH && this.#list === null) this.#keys[this.#depth - 1] = this.#last;
    } else if (byte === COMMA) {
      if (this.#list !== null && this.#depth === this.#listDepth) this.#list.starts.push(at + 1);
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      this.#opens(byte, at);
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (this.#list !== null && this.#depth === this.#listDepth) {
        this.found.push({ ...this.#list, to: at, isEmpty: this.#isEmpty });
        this.#list = null;
      }
      this.#depth--;
    }
  }

  #opens(byte: number, at: number): void {
    const path = this.#keys.slice(0, this.#depth);
    this.#depth++;
    if (this.#depth <= MAX_PATH) this.#keys[this.#depth - 1] = null;
    if (byte !== OPEN_BRACKET || this.#list !== null || path.length === 0 || path.length > MAX_PATH) return;
    if (!path.every((key) => key !== null) || !ITEM_PATHS.has(path.join("."))) return;
    this.#listDepth = this.#depth;
    this.#isEmpty = true;
    this.#list = { path, from: at + 1, to: at + 1, starts: [at + 1] };
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

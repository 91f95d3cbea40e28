import { isObject } from "../is-object.ts";
import { SchemaError } from "../schema-error.ts";
import type { ByteList } from "./byte-list.ts";
import { emptyNotes, type JsonNotes, parseJsonText, type UnsafeIntegers } from "./json-text.ts";

/** Rollouts that are walked over: a list, or what is parsed on the way. */
export type Items = Iterable<unknown> & { readonly length: number };

/** Keys of objects and numbers in lists, from the top of a document. */
export type Path = readonly (string | number)[];

/** The items of a document that is not in memory as a whole. */
export interface DocumentItems extends Items {
  /** The lists that they stand in, one after the other: one, but for spans, which have one for each library. */
  readonly lists: readonly { path: Path; length: number }[];
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
 * A large document as what stands around its rollouts, and these items, each parsed when it is walked over: in memory
 * are the bytes and one item, a seventh of what the whole takes.
 *
 * @returns null for a small document, one without such items, and one that is no JSON, which is to be parsed at once
 */
export function documentItems(
  bytes: ByteList,
  options: ItemOptions,
): { value: Record<string, unknown>; items: DocumentItems } | null {
  const lists = bytes.length < MIN_BYTES ? null : itemLists(bytes);
  if (lists === null) return null;
  const { decode, unsafeIntegers } = options;
  const notes = emptyNotes();
  const parsed = (text: string, into: JsonNotes) => parseJsonText(text, { unsafeIntegers, notes: into });
  const itemAt = ({ starts, to }: ItemList, index: number, into: JsonNotes) => {
    const end = index + 1 < starts.length ? starts[index + 1]! - 1 : to;
    return parsed(decode(bytes.slice(starts[index]!, end)), into);
  };
  const isLong = bytes.length > MAX_DOCUMENT_BYTES;
  let place = `around ${shownPath(lists[0]!.path)}`;
  try {
    const value = parsed(textAround(bytes, lists, decode), notes);
    if (!isObject(value)) return null;
    let nInHead = 0;
    // Once over all of them: what is no JSON is found before any row is made, and said of the document.
    for (const list of lists) {
      const head = listAt(value, list.path);
      if (head === null) return null;
      for (let index = 0; index < list.starts.length; index++) {
        const before = { ...notes };
        place = `${shownPath(list.path)}[${index}]`;
        const item = itemAt(list, index, notes);
        notePlace(notes, before, place);
        if (nInHead++ < HEAD_ITEMS) head.push(item);
      }
    }
    addNotes(options.notes, notes);
    const items = {
      length: nInHead,
      lists: lists.map(({ path, starts }) => ({ path, length: starts.length })),
      *[Symbol.iterator]() {
        for (const list of lists) {
          for (let index = 0; index < list.starts.length; index++) yield itemAt(list, index, emptyNotes());
        }
      },
      whole() {
        if (isLong) throw tooLong("is read as a whole");
        return parsed(decode(bytes.slice(0, bytes.length)), emptyNotes()) as Record<string, unknown>;
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

/** The document with its lists empty. */
function textAround(bytes: ByteList, lists: readonly ItemList[], decode: (bytes: Uint8Array) => string): string {
  const texts: string[] = [];
  let at = 0;
  for (const { from, to } of lists) {
    texts.push(decode(bytes.slice(at, from)));
    at = to;
  }
  return texts.join("") + decode(bytes.slice(at, bytes.length));
}

/** As `results.results`, and `resourceSpans[0].scopeSpans[2].spans`. */
function shownPath(path: Path): string {
  return path.map((key, depth) => (typeof key === "number" ? `[${key}]` : depth === 0 ? key : `.${key}`)).join("");
}

function tooLong(what: string): SchemaError {
  const mib = MAX_DOCUMENT_BYTES / 2 ** 20;
  return new SchemaError(
    "bad_file",
    `It is one JSON document of more than ${mib} MiB that ${what.replace(/\.$/, "")}.`,
    "Write the run again, or one row a line.",
  );
}

function listAt(value: Record<string, unknown>, path: Path): unknown[] | null {
  let at: unknown = value;
  for (const key of path) {
    at = typeof key === "number" ? (Array.isArray(at) ? at[key] : undefined) : isObject(at) ? at[key] : undefined;
  }
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

/** Any place in a list, of which each has a list of items. */
const EACH = 0;

/** Where tools keep the rollouts of a run that is one document: Inspect, tau2-bench, promptfoo, DeepEval; and spans. */
const ITEM_PATHS: readonly Path[] = [
  ...[["samples"], ["simulations"], ["results"], ["results", "results"]],
  ...[["testCases"], ["conversationalTestCases"]],
  ...[
    ["testRunData", "testCases"],
    ["testRunData", "conversationalTestCases"],
  ],
  ["spans"],
  ["resourceSpans", EACH, "scopeSpans", EACH, "spans"],
  ["resourceSpans", EACH, "instrumentationLibrarySpans", EACH, "spans"],
  ["resource_spans", EACH, "scope_spans", EACH, "spans"],
];

/** The places that begin as a path does; those of its own length are lists of items. */
function placesFrom(path: Path): readonly Path[] {
  return ITEM_PATHS.filter((place) =>
    path.every((key, depth) => (typeof key === "number" ? place[depth] === EACH : place[depth] === key)),
  );
}

/** The place of a list in a document, by bytes. */
interface ItemList {
  path: Path;
  /** Behind its `[`, and its `]`. */
  from: number;
  to: number;
  /** Where the items begin, each up to the comma in front of the next one. */
  starts: readonly number[];
}

/**
 * Finds the lists that hold the rollouts of a document, so that they can be parsed one at a time. It finds edges and
 * checks nothing else; that the document is JSON shows when its items, and what is around them, are parsed.
 *
 * @returns null where there is none, or more than one that could be it
 */
function itemLists(bytes: ByteList): ItemList[] | null {
  const scan = new Scan();
  for (const part of bytes.parts) scan.push(part);
  // Runs of DeepEval have two lists, of which one is mostly empty. Of two under one key the last counts, as in JSON.
  const lists = scan.found.filter(({ isEmpty }) => !isEmpty);
  const [place, ...others] = new Set(lists.map(({ path }) => placesFrom(path).find(isOfLength(path))));
  if (place === undefined || others.length > 0) return null;
  return new Set(scan.found.map(({ path }) => shownPath(path))).size < scan.found.length ? null : lists;
}

function isOfLength(path: Path): (place: Path) => boolean {
  return ({ length }) => length === path.length;
}

/** Whether the list of rollouts of a document has begun in these first parts of it. */
export function opensItems(head: Iterable<Uint8Array>): boolean {
  const scan = new Scan();
  for (const part of head) scan.push(part);
  return scan.hasOpened;
}

class Scan {
  readonly found: (ItemList & { isEmpty: boolean })[] = [];
  #offset = 0;
  #depth = 0;
  /** So many of the objects and lists that are open may have items in them. */
  #promising = 0;
  #inString = false;
  #escaped = false;
  /** The key in front of the value at each depth, or its number in a list. */
  readonly #path: (string | number)[] = [];
  /** The last string of an object that may have items in it. */
  #text: number[] | null = null;
  #last = "";
  /** Depth inside the list, while it is open. */
  #listDepth = 0;
  #isEmpty = true;
  #list: { path: Path; from: number; to: number; starts: number[] } | null = null;

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
      this.#text = this.#isPromising() ? [] : null;
    } else if (byte === COLON) {
      if (this.#isPromising()) this.#path[this.#depth - 1] = this.#last;
    } else if (byte === COMMA) {
      if (this.#list !== null) {
        if (this.#depth === this.#listDepth) this.#list.starts.push(at + 1);
      } else if (this.#isPromising()) {
        const key = this.#path[this.#depth - 1];
        if (typeof key === "number") this.#path[this.#depth - 1] = key + 1;
      }
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      this.#opens(byte, at);
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (this.#list !== null && this.#depth === this.#listDepth) {
        this.found.push({ ...this.#list, to: at, isEmpty: this.#isEmpty });
        this.#list = null;
      }
      this.#depth--;
      this.#promising = Math.min(this.#promising, this.#depth);
    }
  }

  /** Whether there may be items in the innermost object or list that is open, outside of those found. */
  #isPromising(): boolean {
    return this.#list === null && this.#promising === this.#depth;
  }

  #opens(byte: number, at: number): void {
    const isAround = this.#isPromising();
    const path = this.#path.slice(0, this.#depth);
    this.#depth++;
    if (!isAround) return;
    const places = placesFrom(path);
    if (places.length === 0) return;
    if (byte === OPEN_BRACKET && places.some(isOfLength(path))) {
      this.#listDepth = this.#depth;
      this.#isEmpty = true;
      this.#list = { path, from: at + 1, to: at + 1, starts: [at + 1] };
      return;
    }
    this.#promising = this.#depth;
    this.#path[this.#depth - 1] = byte === OPEN_BRACKET ? 0 : "";
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

import { isObject } from "../is-object.ts";
import { SchemaError } from "../schema-error.ts";
import { type Container, excerpt, firstInk, named, splitterFor } from "./container.ts";
import { type DocumentItems, documentItems, MAX_DOCUMENT_BYTES } from "./document-items.ts";
import { DocumentSplitter, LIST_KEYS, MAX_HELD_BYTES } from "./document-splitter.ts";
import { invalidByte } from "./invalid-byte.ts";
import { emptyNotes, type JsonNotes, parseJsonText, type UnsafeIntegers } from "./json-text.ts";
import { joined, LineSplitter, type Piece } from "./line-splitter.ts";

/** A JSON object as it stands in a file, before any reader has made a row of it. */
export type SourceObject = Record<string, unknown>;

export interface SourceRecord {
  value: SourceObject;
  /** 1-based line on which it begins. */
  line: number;
  /** The list of a large document, of which `value` has no more than the beginning. Only where it was asked for. */
  items?: DocumentItems;
}

/** A line that gives no record. */
export interface BadLine {
  /** Name of the file; null for text in memory. */
  file: string | null;
  /** 1-based. */
  line: number;
  /** 1-based, in characters; null where the line as a whole is meant. */
  column: number | null;
  /** One sentence, with the value seen. */
  what: string;
}

export interface BadRecord extends BadLine {
  code: "bad_line" | "bad_value" | "duplicate_rollout";
  fix: string;
}

export interface RecordReaderOptions {
  /** Name for errors; null for text in memory. */
  file: string | null;
  unsafeIntegers: UnsafeIntegers;
  invalidUtf8: "refuse" | "replace";
  /** Told of every line that gives no record. */
  refuse: (bad: BadRecord) => void;
  /** Hands out a large document with its items apart, so that it is never in memory as a whole. */
  itemsApart?: boolean;
  /** Told of every record and the text it stood in. */
  onRecord?: ((record: SourceObject, text: string) => void) | undefined;
}

/** Line of the first record with each kind of note; null until there is one. */
export interface NoteLines {
  nonFinite: number | null;
  unsafeIntegers: number | null;
  loneSurrogates: number | null;
}

/** Notes of a file, with the lines at which each kind of them was first made. */
export class NoteCounter {
  readonly notes: JsonNotes = emptyNotes();
  readonly noteLines: NoteLines = { nonFinite: null, unsafeIntegers: null, loneSurrogates: null };

  /** Whatever was noted since the last call stands at this line. */
  reached(line: number): void {
    const { notes, noteLines } = this;
    if (notes.nonFinite > 0) noteLines.nonFinite ??= line;
    if (notes.unsafeIntegers > 0) noteLines.unsafeIntegers ??= line;
    if (notes.loneSurrogates > 0) noteLines.loneSurrogates ??= line;
  }
}

const LONG_HEAD_BYTES = 2 ** 20;

const ONE_OBJECT = "Write one JSON object a line.";

/**
 * Bytes in, JSON objects out, one at a time. Finds out by itself whether the file is JSONL or one JSON document,
 * drops a byte-order mark, blank lines and the `\r` of Windows, and refuses what is no text or no JSON at all.
 *
 * @throws SchemaError `bad_file` for empty and binary files, `format_unknown` for text that is not JSON
 */
export class RecordReader {
  readonly #noted = new NoteCounter();
  container: Container | null = null;
  /** What stood around the list of a document; null for JSONL and for a bare array. */
  wrapper: SourceObject | null = null;
  droppedTail = false;
  readonly #options: RecordReaderOptions;
  readonly #decoder: InstanceType<typeof TextDecoder>;
  /** The beginning of the file, until it shows what the file is. */
  #head: Uint8Array[] = [];
  #headBytes = 0;
  #lookAt = 0;
  #splitter: LineSplitter | DocumentSplitter | null = null;
  /** Bytes of the byte-order mark. */
  #markBytes = 0;
  /** A line that is no JSON and is forgiven if it is the last and `closeTail` says so. */
  #tail: BadRecord | null = null;

  constructor(options: RecordReaderOptions) {
    this.#options = options;
    this.#decoder = new TextDecoder("utf-8", { fatal: options.invalidUtf8 === "refuse", ignoreBOM: true });
  }

  get notes(): JsonNotes {
    return this.#noted.notes;
  }

  get noteLines(): NoteLines {
    return this.#noted.noteLines;
  }

  /** Records that end in this chunk. The chunk may be reused afterwards. */
  push(chunk: Uint8Array): SourceRecord[] {
    if (this.#splitter !== null) return this.#records(this.#splitter.push(chunk));
    this.#head.push(new Uint8Array(chunk));
    this.#headBytes += chunk.length;
    if (this.#headBytes < this.#lookAt) return [];
    // A long line is looked at each time it has doubled, not at every piece of it.
    this.#lookAt = this.#headBytes < LONG_HEAD_BYTES ? 0 : 2 * this.#headBytes;
    return this.#start(false);
  }

  /** The records behind the last line break. `closeTail` follows, once they have shown what the file is. */
  end(): SourceRecord[] {
    const records = this.#splitter === null ? this.#start(true) : [];
    const splitter = this.#splitter!;
    records.push(...this.#records(splitter.end()));
    if (splitter instanceof DocumentSplitter) records.push(...this.#endOfDocument(splitter));
    return records;
  }

  /**
   * Refuses a last line that is not JSON, or drops it: what a crash leaves behind when rows are appended.
   *
   * @param tolerate Whether it is to be dropped
   */
  closeTail(tolerate: boolean): void {
    this.droppedTail = tolerate && this.#tail !== null;
    if (tolerate) this.#tail = null;
    this.#refuseTail();
  }

  #start(ended: boolean): SourceRecord[] {
    let head = joined(this.#head);
    this.#head = [head];
    if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) {
      this.#markBytes = 3;
      head = head.subarray(3);
    }
    const splitter = splitterFor(head, ended, this.#options.file);
    if (splitter === null) return [];
    this.#splitter = splitter;
    this.#head = [];
    if (splitter instanceof LineSplitter) this.container = "jsonl";
    else this.container = head[firstInk(head)] === 0x5b ? "json-array" : "json-object";
    return this.#records(splitter.push(head));
  }

  #records(pieces: readonly Piece[]): SourceRecord[] {
    const records: SourceRecord[] = [];
    for (const piece of pieces) {
      const value = this.#value(piece);
      if (value === undefined) continue;
      if (isObject(value)) {
        records.push({ value, line: piece.line });
      } else {
        const kind = Array.isArray(value) ? "a list" : value === null ? "null" : `a ${typeof value}`;
        this.#refuse(piece.line, null, `is ${kind} and not an object`, ONE_OBJECT);
      }
    }
    return records;
  }

  /** undefined for blank lines and for lines that were refused. */
  #value(piece: Piece): unknown {
    const { line } = piece;
    if (piece.tooLong) {
      this.#refuse(line, null, "is longer than 64 MiB", "Leave it out: no rollout is that long.");
      return undefined;
    }
    const text = this.#text(piece);
    if (text === null || (text === "" && this.container === "jsonl")) return undefined;
    this.#refuseTail();
    try {
      const value = parseJsonText(text, { unsafeIntegers: this.#options.unsafeIntegers, notes: this.#noted.notes });
      this.#noted.reached(line);
      if (isObject(value)) this.#options.onRecord?.(value, text);
      return value;
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      const at = error.place.line ?? 1;
      const what = `${error.what.replace(/^The text |\.$/g, "")}: ${excerpt(text.split("\n")[at - 1] ?? "")}`;
      this.#tail = this.#bad(line + at - 1, error.place.column ?? null, what, error.fix);
      return undefined;
    }
  }

  /** "" for a blank line, null for bytes that are not UTF-8. */
  #text(piece: Piece): string | null {
    let { bytes } = piece;
    if (bytes.length > 0 && bytes[bytes.length - 1] === 0x0d) bytes = bytes.subarray(0, -1);
    if (firstInk(bytes) === bytes.length) return "";
    try {
      return this.#decoder.decode(bytes);
    } catch {
      const at = invalidByte(bytes);
      const shown = excerpt(new TextDecoder().decode(bytes.subarray(Math.max(0, at - 40), at + 40)));
      const offset = this.#markBytes + piece.offset + at;
      this.#refuseTail();
      this.#tail = this.#bad(
        piece.line,
        null,
        `is not UTF-8 at byte ${offset} of the file: ${shown}`,
        'Save the file as UTF-8, or read it with invalidUtf8: "replace".',
      );
      return null;
    }
  }

  #bad(line: number, column: number | null, what: string, fix: string): BadRecord {
    const { file } = this.#options;
    const where = this.container === "jsonl" ? `line ${line}` : `the item at line ${line}`;
    return { file, line, column, code: "bad_line", what: `${where} ${what}`, fix };
  }

  #refuse(line: number, column: number | null, what: string, fix: string): void {
    this.#refuseTail();
    this.#options.refuse(this.#bad(line, column, what, fix));
  }

  /** A fault that turned out not to be in the last line, or that nobody wants forgiven. */
  #refuseTail(): void {
    if (this.#tail !== null) this.#options.refuse(this.#tail);
    this.#tail = null;
  }

  #placed<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      const { file } = this.#options;
      if (!(error instanceof SchemaError) || file === null) throw error;
      throw new SchemaError(error.code, error.what, error.fix, { place: { file }, cause: error });
    }
  }

  #endOfDocument(splitter: DocumentSplitter): SourceRecord[] {
    const { file } = this.#options;
    if (splitter.isCut) {
      this.#tail = this.#bad(splitter.line, null, "is where the file ends, inside its list", "Fetch the file again.");
      return [];
    }
    const { itemsApart = false, unsafeIntegers, onRecord } = this.#options;
    const bytes = itemsApart && onRecord === undefined && !splitter.hasList ? splitter.wrapperBytes() : null;
    if (bytes !== null) {
      const decode = (part: Uint8Array) => this.#decoder.decode(part);
      const apart = this.#placed(() => documentItems(bytes, { decode, unsafeIntegers, notes: this.#noted.notes }));
      if (apart !== null) {
        this.#noted.reached(1);
        return [{ ...apart, line: 1 }];
      }
    }
    const piece = splitter.wrapper();
    if (piece.tooLong) {
      throw new SchemaError(
        "bad_file",
        splitter.hasItems
          ? `${named(file)} is one JSON document of more than ${MAX_HELD_BYTES / 2 ** 20} MiB.`
          : `${named(file)} is one JSON document of more than ${MAX_DOCUMENT_BYTES / 2 ** 20} MiB without a list of rows.`,
        `Write one row a line, or put the rows under ${LIST_KEYS.join(", ")}.`,
        { place: file === null ? {} : { file } },
      );
    }
    const value = this.#value(piece);
    if (!isObject(value)) return [];
    if (!splitter.hasList) return [{ value, line: 1 }];
    this.wrapper = value;
    return [];
  }
}

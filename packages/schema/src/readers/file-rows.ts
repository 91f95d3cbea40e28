import { isObject } from "../is-object.ts";
import { named } from "../json/container.ts";
import type { DocumentItems } from "../json/document-items.ts";
import { LIST_KEYS } from "../json/document-splitter.ts";
import { parseJsonText } from "../json/json-text.ts";
import { RecordReader, type SourceObject, type SourceRecord } from "../json/record-reader.ts";
import { type ByteStore, WaitingRecords } from "../json/waiting-records.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { DETECT_RECORDS, formatOfRecords, unreadFormat } from "./detect-format.ts";
import { unflattened } from "./flat-columns.ts";
import type { Format, FormatReader, ReaderContext } from "./format.ts";
import { formatNamed } from "./formats.ts";
import { IdNumbers } from "./id-numbers.ts";
import type { ReadCollector } from "./read-collector.ts";
import type { FileReport } from "./read-report.ts";

/** A file of the same run that says more of all its rows. */
export interface BesideFile {
  path: string;
  text: string;
}

/** What lies around one file. */
export interface FilePlace {
  beside?: BesideFile | null;
  /** Where records wait; in memory when left out. */
  waitingBytes?: ByteStore;
}

/** Rows that have waited are handed out so many at a time. */
const HELD_PIECE = 32;

/**
 * The rows of one file, while its bytes arrive. Holds the first 20 records until they have shown their format, and
 * afterwards one record at a time.
 */
export class FileRows {
  readonly file: FileReport;
  readonly #collector: ReadCollector;
  readonly #records: RecordReader;
  readonly #name: string | null;
  readonly #warned = new Set<string>();
  readonly #tasks = new IdNumbers();
  /** Rows of each task so far, by the task's number. */
  readonly #nRows: number[] = [];
  #head: SourceRecord[] = [];
  #reader: FormatReader | null = null;
  #format: Format | null = null;
  readonly #beside: BesideFile | null;
  readonly #waiting: WaitingRecords;
  /** The line of the record that is being read. */
  #line = 0;
  /** The line of the last record that was read. */
  #lineBefore = 0;

  constructor(path: string | null, collector: ReadCollector, { beside = null, waitingBytes }: FilePlace = {}) {
    this.#beside = beside;
    this.#waiting = new WaitingRecords(waitingBytes);
    this.#collector = collector;
    this.#name = path?.split(/[/\\]/).at(-1) ?? null;
    this.file = { path, format: "none", container: "jsonl", delimiter: null, records: 0, rows: 0 };
    collector.report.files.push(this.file);
    const { unsafeIntegers = "ids", invalidUtf8 = "refuse", onRecord } = collector.options;
    this.#records = new RecordReader({
      file: path,
      unsafeIntegers,
      invalidUtf8,
      refuse: (bad) => collector.refuse(bad),
      itemsApart: true,
      onRecord,
    });
  }

  /** Rows that end in this chunk of the file. */
  push(chunk: Uint8Array): Row[] {
    return this.records(this.#records.push(chunk));
  }

  /** The last rows, after the last chunk: those of a document, a few at a time. */
  *end(): Generator<Row[]> {
    const records = this.#records.end();
    const [record] = records;
    if (record?.items !== undefined) yield* this.#rowsOfItems(record, record.items);
    else yield this.records(records);
    yield this.#rowsOfHead();
    this.#records.closeTail(this.#collector.options.tolerateTail ?? this.#format?.tolerateTail ?? false);
    this.file.container = this.#records.container ?? "jsonl";
    yield* this.endOfRecords();
    if (this.file.records === 0 && this.#collector.report.nBadLines === 0) throw this.#emptyList();
    if (this.#records.wrapper !== null) this.#addWrapper(this.#records.wrapper);
    this.#collector.closeFile(this.file, this.#records);
  }

  /** Opens a file whose container says what it is. `head` is what holds for all records, and none of them. */
  openAs(format: Format, head: SourceObject): void {
    this.#format = format;
    this.file.format = format.name;
    this.#reader = this.#placed(() => format.open!(this.#context([head])));
    if (this.#reader.headlines !== undefined) this.file.toolHeadlines = [];
  }

  /** The rows of records that were found elsewhere: in the lines of CSV. */
  records(records: readonly SourceRecord[]): Row[] {
    const rows: Row[] = [];
    this.file.records += records.length;
    this.#collector.report.records += records.length;
    for (const record of records) {
      const value = unflattened(record.value);
      if (this.#reader !== null) {
        this.#read(this.#reader, value, record.line, rows);
        continue;
      }
      this.#head.push({ value, line: record.line });
      if (this.#head.length === DETECT_RECORDS) rows.push(...this.#rowsOfHead());
    }
    return rows;
  }

  /** The rows that have waited for the last record, a few at a time. */
  *endOfRecords(): Generator<Row[]> {
    yield this.#rowsOfHead();
    const reader = this.#reader;
    if (reader?.held !== undefined) yield* this.#rowsHeld(this.#placed(() => reader.held!()));
    this.#placed(() => reader?.end?.());
    if (reader?.headlines !== undefined) this.file.toolHeadlines = reader.headlines();
  }

  *#rowsHeld(held: Iterable<Row>): Generator<Row[]> {
    const rows = held[Symbol.iterator]();
    for (let isDone = false; !isDone; ) {
      const piece: Row[] = [];
      while (!isDone && piece.length < HELD_PIECE) {
        const next = this.#placed(() => rows.next());
        if (next.done) isDone = true;
        else this.#admit([next.value], this.#lineBefore, piece);
      }
      if (piece.length > 0) yield piece;
    }
  }

  /** The rows of a document whose items are read one at a time, where its format can; else of the whole of it. */
  *#rowsOfItems({ value, line }: SourceRecord, items: DocumentItems): Generator<Row[]> {
    this.file.records++;
    this.#collector.report.records++;
    const reader = this.#open([value]);
    this.#reader = reader;
    this.#line = line;
    if (reader.headlines !== undefined) this.file.toolHeadlines = [];
    const rows: Row[] = [];
    if (reader.readItems === undefined) {
      this.#read(reader, items.whole(), line, rows);
      yield rows;
      return;
    }
    const pieces = reader.readItems(value, items)[Symbol.iterator]();
    for (;;) {
      let read: readonly Row[] = [];
      try {
        const next = this.#placed(() => pieces.next());
        if (next.done) return;
        read = next.value;
      } catch (error) {
        if (!(error instanceof SchemaError) || error.code !== "bad_value") throw error;
        this.#refuse(line, error.what, error.fix);
        return;
      }
      const admitted: Row[] = [];
      this.#admit(read, line, admitted);
      if (admitted.length > 0) yield admitted;
    }
  }

  #rowsOfHead(): Row[] {
    const rows: Row[] = [];
    const head = this.#head;
    this.#head = [];
    if (head.length === 0) return rows;
    const reader = this.#open(head.map(({ value }) => value));
    this.#reader = reader;
    if (reader.headlines !== undefined) this.file.toolHeadlines = [];
    for (const { value, line } of head) this.#read(reader, value, line, rows);
    return rows;
  }

  #open(head: readonly SourceObject[]): FormatReader {
    const { options } = this.#collector;
    const isNamed = options.format !== undefined && options.format !== "auto" && options.format !== "csv";
    const format = isNamed ? formatNamed(options.format!)! : formatOfRecords(head, this.file.path);
    if (format.open === undefined) throw unreadFormat(format, this.file.path);
    this.#format = format;
    this.file.format = format.name;
    return format.open(this.#context(head));
  }

  #context(head: readonly SourceObject[]): ReaderContext {
    const collector = this.#collector;
    return {
      file: this.#name,
      head,
      options: collector.options,
      waiting: this.#waiting,
      beside: () => this.#readBeside(),
      warn: (code, text) => {
        if (!this.#warned.has(code))
          collector.warn(code, this.file.path === null ? text : `${this.file.path}: ${text}`);
        this.#warned.add(code);
      },
      skip: (reason) => collector.skip(reason),
      refuse: (what, fix) => this.#refuse(this.#line, what, fix),
      addMeta: (meta) => collector.addMeta(meta, this.file.path ?? "The document"),
      nextIndex: (task) => {
        const number = this.#tasks.of(task);
        const index = this.#nRows[number] ?? 0;
        this.#nRows[number] = index + 1;
        return index;
      },
    };
  }

  /** What a reader refuses lies in this file, whether the reader knows its name or not. */
  #placed<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      const { path } = this.file;
      if (!(error instanceof SchemaError) || path === null || error.place.file !== undefined) throw error;
      const { code, what, fix, place } = error;
      throw new SchemaError(code, what, fix, { place: { ...place, file: path }, cause: error });
    }
  }

  /** Adds the rows of one record, unless they are refused. */
  #read(reader: FormatReader, record: SourceObject, line: number, rows: Row[]): void {
    let read: readonly Row[];
    this.#line = line;
    try {
      read = this.#placed(() => reader.read(record));
    } catch (error) {
      if (!(error instanceof SchemaError) || error.code !== "bad_value") throw error;
      this.#refuse(line, error.what, error.fix);
      return;
    }
    this.#admit(read, reader.held === undefined ? line : this.#lineBefore, rows);
    this.#lineBefore = line;
  }

  #admit(read: readonly Row[], line: number, rows: Row[]): void {
    for (const row of read) {
      const admitted = this.#collector.admit(row, this.file, line, this.#format?.asksAlike);
      if (admitted !== null && this.#collector.isOpen) rows.push(admitted);
    }
  }

  #refuse(line: number, sentence: string, fix: string): void {
    const what = `${this.#collector.placeWord(this.file, line)}: ${sentence.replace(/\.$/, "")}`;
    this.#collector.refuse({ file: this.file.path, line, column: null, code: "bad_value", what, fix });
  }

  /** What lies there under that name may be anything: it is looked at when a format asks, and costs no rows. */
  #readBeside(): SourceObject | null {
    if (this.#beside === null) return null;
    const { path, text } = this.#beside;
    try {
      const value = parseJsonText(text);
      if (isObject(value)) return value;
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
    }
    this.#collector.warn("bad_beside", `${path} is no JSON object; the rows beside it were read without it.`);
    return null;
  }

  #emptyList(): SchemaError {
    const { path } = this.file;
    return new SchemaError(
      "bad_file",
      `${named(path)} holds an empty list of rows.`,
      "Check the run that should have filled it.",
      { place: path === null ? {} : { file: path } },
    );
  }

  #addWrapper(wrapper: SourceObject): void {
    const { ...meta } = wrapper;
    for (const key of LIST_KEYS) {
      const list = meta[key];
      if (!Array.isArray(list)) continue;
      if (list.length > 0) {
        const text = `A second list of ${list.length} under ${key} was not read; only the first list holds the rows.`;
        this.#collector.warn("second_list", this.file.path === null ? text : `${this.file.path}: ${text}`);
      }
      delete meta[key];
    }
    if (Object.keys(meta).length > 0) this.#collector.addMeta(meta, this.file.path ?? "The document");
  }
}

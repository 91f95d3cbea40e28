import type { DocumentItems } from "../json/document-items.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { WaitingRecords } from "../json/waiting-records.ts";
import type { Row } from "../row.ts";
import type { ReadOptions } from "./read-options.ts";
import type { ToolHeadline } from "./tool-headline.ts";

/** What a reader may ask of the file it reads, and where it says what it could not keep. */
export interface ReaderContext {
  /** Name of the file without its folders; null for text in memory. */
  readonly file: string | null;
  /** The first records, up to 20: what holds for a whole file is found there. */
  readonly head: readonly SourceObject[];
  readonly options: ReadOptions;
  /** For records that wait for others of their file; on the disk where there are many and there is one. */
  readonly waiting: WaitingRecords;
  /** What a file of the same run says that lies beside this one; null when there is none, or none that can be read. */
  beside(): SourceObject | null;
  /** Said once a file, however often it is called with one code. */
  warn(code: string, text: string): void;
  /** Counts a record that gives no row. */
  skip(reason: string): void;
  /** One item of a record that holds many cannot be read; the others still can. */
  refuse(what: string, fix: string): void;
  /** What holds for the run and not for a row: goes to `report.meta`, and tools to `report.tools`. */
  addMeta(meta: SourceObject): void;
  /** 0, 1, 2, … for the rows of one task, in the order of the file. */
  nextIndex(task: string): number;
}

/** Reads one file; made anew for each. */
export interface FormatReader {
  /**
   * The rows of one record: none, one, or two for a preference.
   *
   * @throws SchemaError `bad_value` for a record that cannot be read; the file's line is added by the caller
   */
  read(record: SourceObject): readonly Row[];
  /**
   * For a reader that must see other records before a row is whole: the rows that still wait when the file ends, made
   * while they are walked over where they may be many. `read` of such a reader gives the rows of the record before.
   */
  held?(): Iterable<Row>;
  /**
   * For a format whose file is one document: the rows of its items, a few at a time, so that it is never in memory as a
   * whole. `read` does the same with a document that is.
   *
   * @param document The document, whose list may end after a few items
   * @param items All of them; they can be walked over more than once
   */
  readItems?(document: SourceObject, items: DocumentItems): Iterable<readonly Row[]>;
  /** Said when the file has ended. */
  end?(): void;
  /** For the files of a tool that reports a number of them: that number. Asked for after `end`. */
  headlines?(): ToolHeadline[];
}

/**
 * One file format. The next one is one file that exports such an object and one line in `formats.ts`, at the place
 * where its evidence is to be looked for.
 */
export interface Format {
  /** The word for `format` and `--from`. */
  readonly name: string;
  /** Completes "this looks like …". */
  readonly title: string;
  /** Whether a record is one of these, when no format listed earlier has claimed it. */
  detect(record: SourceObject): boolean;
  /** Its writer appends line by line, so that a crash leaves a last line that is cut off. It is dropped, and said. */
  readonly tolerateTail?: true;
  /** A task is one text, so that under one id two files must ask the same. */
  readonly asksAlike?: true;
  /** Absent: the format is known by sight and not read yet. */
  open?(context: ReaderContext): FormatReader;
}

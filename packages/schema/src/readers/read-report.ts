import type { Container } from "../json/container.ts";
import type { BadLine } from "../json/record-reader.ts";
import type { ToolSchema } from "../row.ts";
import type { ToolHeadline } from "./tool-headline.ts";

export type { BadLine } from "../json/record-reader.ts";

/** Something a reader of the numbers should know. */
export interface ReadWarning {
  code: string;
  /** One sentence, with the value and the place. */
  text: string;
}

export interface FileReport {
  /** As it was given; null for text in memory. */
  path: string | null;
  format: string;
  container: Container;
  /** The character between the cells of a CSV file; null for JSON. */
  delimiter: string | null;
  /** Records found, bad lines not among them. */
  records: number;
  rows: number;
  /**
   * What the tool that wrote the file reports of it, known once the file has ended; empty when there is nothing to make
   * it of. Absent for a format whose files are nobody's report.
   */
  toolHeadlines?: ToolHeadline[];
}

/** A file of a folder that gives no rows. */
export interface NoRows {
  path: string;
  /** A clause: "is a PNG image", "is hidden", "holds no rows". */
  why: string;
}

/** How a sentence calls a place in a file: rows of a table stand on no line. */
export function placeWord({ container }: FileReport, number: number | null): string {
  return `${container === "parquet" ? "row" : "line"} ${number}`;
}

/** What was read, and everything that was not taken as it stood. */
export interface ReadReport {
  /** The files' format; `mixed` when they differ. */
  format: string;
  files: FileReport[];
  /** Files of the folders that were given, which hold no rows: texts, pictures, sidecars, hidden files. */
  noRows: NoRows[];
  records: number;
  rows: number;
  /** Records that gave no row, by reason. */
  skipped: Map<string, number>;
  /** The first five lines that were refused and left out (`onBadRow: "skip"`). */
  badLines: BadLine[];
  nBadLines: number;
  warnings: ReadWarning[];
  /** Schemas of the tools the rows were made with, by the rows, the sidecar or the document; null when none say. */
  tools: ToolSchema[] | null;
  /** Rules of the agents by their sha, which `lineage.system_prompt_sha` of the rows names. */
  systemPrompts: Map<string, string>;
  /** Rows by `model_version`; rows without one are not counted. */
  models: Map<string, number>;
  /** Bare NaN and Infinity, read as null. */
  nonFinite: number;
  /** Integers that a double would have changed: exact text under an id, rounded elsewhere. */
  unsafeIntegers: number;
  /** Halves of surrogate pairs standing alone; they are kept. */
  loneSurrogates: number;
  /** A last line that was not JSON was dropped (`tolerateTail`). */
  droppedTail: boolean;
  /** The sidecar `<stem>.meta.json`, or what a document held beside its rows; null when there was neither. */
  meta: Record<string, unknown> | null;
}

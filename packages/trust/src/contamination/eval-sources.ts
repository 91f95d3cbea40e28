import { isObject, type Row } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import type { EvalIndex } from "./eval-index.ts";

/** Rows, however they come: a list, a stream, a file, or a dataset of the platform by its id. */
export type EvalSource = readonly Row[] | AsyncIterable<Row> | string | URL;

/** What rows are compared with: one source, several, or an index that was built before. */
export type Against = EvalSource | readonly EvalSource[] | EvalIndex;

export interface SourceOptions {
  /** Rows of a platform dataset by its id (`ds_…`). This package opens no connection of its own. */
  pull?: (id: string) => Promise<readonly Row[]>;
  /** Rows of a file. `readEvalRows` of `@while/trust/files` is one. */
  read?: (path: string | URL) => Promise<readonly Row[]>;
}

export const SOURCE_NAMES = ["pull", "read"] as const;

const DATASET = "ds_";

/** Rows of every source, in order, and the names of the sources that had none. */
export interface EvalRows {
  rows: unknown[];
  emptySources: string[];
}

export function isEvalIndex(against: unknown): against is EvalIndex {
  return isObject(against) && against.kind === "eval-index";
}

/** @throws TrustError `bad_source` for what is neither rows nor a source, `bad_option` where nothing can read it */
export async function evalRows(against: Exclude<Against, EvalIndex>, options: SourceOptions = {}): Promise<EvalRows> {
  return collected(await Promise.all(sourcesOf(against).map((source) => rowsOf(source, options))));
}

/** The same for sources that need no waiting. */
export function evalRowsSync(against: unknown): EvalRows {
  const sources = sourcesOf(against as Exclude<Against, EvalIndex>);
  return collected(
    sources.map((source) => {
      if (Array.isArray(source)) return checkedRows(source);
      throw new TrustError(
        "bad_source",
        `decontaminateSync was given ${named(source)}.`,
        "Pass lists of rows, or await decontaminate.",
      );
    }),
  );
}

function sourcesOf(against: Exclude<Against, EvalIndex>): readonly EvalSource[] {
  if (!Array.isArray(against)) return [against as EvalSource];
  return against.length > 0 && isRow(against[0]) ? [against as readonly Row[]] : (against as readonly EvalSource[]);
}

function isRow(value: unknown): boolean {
  return isObject(value) && !(value instanceof URL) && !isIterable(value);
}

function isIterable(value: object): value is AsyncIterable<Row> {
  return Symbol.asyncIterator in value;
}

async function rowsOf(source: EvalSource, { pull, read }: SourceOptions): Promise<readonly unknown[]> {
  if (Array.isArray(source)) return checkedRows(source);
  if (typeof source === "string" && source.startsWith(DATASET)) {
    if (pull === undefined) {
      throw new TrustError(
        "bad_source",
        `${source} is a dataset of the platform.`,
        "Pass pull, which fetches its rows.",
      );
    }
    return await pull(source);
  }
  if (typeof source === "string" || source instanceof URL) {
    if (read === undefined) {
      throw new TrustError(
        "bad_source",
        `${String(source)} is a file, and this entry opens none.`,
        "Pass read: readEvalRows of @while/trust/files.",
      );
    }
    return await read(source);
  }
  if (typeof source === "object" && source !== null && isIterable(source)) {
    const rows: Row[] = [];
    for await (const row of source) rows.push(row);
    return rows;
  }
  throw new TrustError("bad_source", `An evaluation source is ${named(source)}.`, WANTED);
}

/** Elements that are no objects are skipped; where none is an object, the list is something else. */
function checkedRows(source: readonly unknown[]): readonly unknown[] {
  if (source.length === 0 || source.some(isRow)) return source;
  throw new TrustError("bad_source", `An evaluation source is a list of ${named(source[0])}.`, WANTED);
}

const WANTED = "Pass rows (objects with a prompt), a path, a dataset id, or a list of these.";

function collected(lists: readonly (readonly unknown[])[]): EvalRows {
  const emptySources = lists.flatMap((rows, i) => (rows.some(isRow) ? [] : [`Evaluation source ${i + 1}`]));
  return { rows: lists.flat(), emptySources };
}

function named(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list of lists" : typeof value === "string" ? JSON.stringify(value) : typeof value;
}

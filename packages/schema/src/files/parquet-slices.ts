import {
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetSchema,
  type SchemaElement,
  type SchemaTree,
} from "hyparquet";
import { DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel, getTreePath } from "hyparquet/src/schema.js";
import { compressors } from "hyparquet-compressors";
import { named } from "../json/container.ts";
import { MAX_JSON_DEPTH } from "../json/json-text.ts";
import { SchemaError } from "../schema-error.ts";
import { shownName } from "../text/shown-value.ts";
import { LeafColumn } from "./parquet-leaf.ts";
import { type CellReader, cellReader } from "./parquet-nesting.ts";
import { columnPages } from "./parquet-pages.ts";
import type { ByteSource } from "./random-access.ts";
import { thriftEnd } from "./thrift-end.ts";

/** What the values of a column, or of a part of one, are. */
export type ParquetNode =
  | { kind: "list"; element: ParquetNode }
  | { kind: "struct"; fields: readonly ParquetField[] }
  /** Arrives as `{[entries]: [{key, value}]}`. */
  | { kind: "map"; entries: string; key: ParquetField; value: ParquetField }
  | { kind: "decimal"; scale: number }
  | { kind: "date" }
  | { kind: "time" | "timestamp"; unit: TimeUnit; isUtc: boolean }
  /** JSON as text, in bytes. */
  | { kind: "json" }
  /** Text, a number, a truth value, bytes that say not what they are, or whatever the library makes of them. */
  | { kind: "plain" };

export interface ParquetField {
  name: string;
  /** The key under which a struct has it; another one where the name is no plain key. */
  key: string;
  node: ParquetNode;
}

type RowGroup = FileMetaData["row_groups"][number];

type TimeUnit = "MILLIS" | "MICROS" | "NANOS";

/** Some rows: one list of cells each, in the order of the columns. */
interface ParquetSlice {
  /** 1-based number of its first row in the file. */
  first: number;
  rows: unknown[][];
}

export interface OpenParquet {
  columns: readonly ParquetField[];
  nRows: number;
  /** What the file says beside its rows under this key; null when it says nothing. */
  said(key: string): string | null;
  /** All rows, some megabytes at a time. */
  slices(): AsyncGenerator<ParquetSlice>;
}

export interface ParquetOptions {
  /** For errors. */
  path: string;
  invalidUtf8: "refuse" | "replace";
}

/** Unpacked bytes of a slice. A file of pandas is often one row group, so that groups alone bound nothing. */
const SLICE_BYTES = 2 ** 19;

const MAX_SLICE_ROWS = 10_000;

/** A page claims how large it unpacks, and space for it is taken: writers make pages of a megabyte or so. */
const MAX_PAGE_BYTES = 2 ** 30;

/** For a name that, as the key of a plain object, would be no key. */
const PROTO = "__proto__";
const PROTO_KEY = "\0__proto__";

/** Beginning and end of every file; with an E the footer is encrypted. */
const MAGIC = /^PAR[1E]/;

/** Whether these are the first bytes of a Parquet file. */
export function isParquet(head: Uint8Array): boolean {
  return MAGIC.test(String.fromCharCode(...head.subarray(0, 4)));
}

/**
 * Opens a Parquet file: its columns are known from its end, its rows are read when the slices are.
 *
 * @throws SchemaError `bad_file` for what breaks off, is encrypted, damaged, or has two columns of one name
 */
export async function openParquet(source: ByteSource, { path, invalidUtf8 }: ParquetOptions): Promise<OpenParquet> {
  const ends = await Promise.all([
    source.read(0, 4),
    source.read(Math.max(0, source.byteLength - 4), source.byteLength),
  ]);
  const [first, last] = ends.map((bytes) => new TextDecoder("latin1").decode(bytes));
  if (first === "PARE" || last === "PARE") throw encrypted(path);
  if (last !== "PAR1" || source.byteLength < 12) {
    throw badFile(path, "is Parquet that breaks off before its end.", "Fetch or write the file again.");
  }
  const file = {
    byteLength: source.byteLength,
    slice(start: number, end: number = source.byteLength): Promise<ArrayBuffer> {
      const isInside = start >= 0 && start <= end && end <= source.byteLength;
      const bytes = isInside
        ? source.read(start, end)
        : Promise.reject(new Error(`its bytes ${start} to ${end} are none of its ${source.byteLength}`));
      // The library begins several reads and may give up before it waits for them.
      bytes.catch(() => {});
      return bytes;
    },
  };
  const metadata = await guarded(path, async () => {
    await checkFooter(source);
    const read = withPlainNames(await parquetMetadataAsync(file, { geoparquet: false }));
    if (read.row_groups.some(({ columns }) => columns.some(isEncrypted))) throw encrypted(path);
    const counts = read.row_groups.map(({ num_rows }) => Number(num_rows));
    if (counts.some((count) => count < 0) || sumOf(counts) !== Number(read.num_rows)) {
      throw new Error(`its groups hold ${sumOf(counts)} rows and it says ${read.num_rows}`);
    }
    const columns = depthChecked(parquetSchema(read), 0, path).children.map(fieldOf);
    return { read, columns, raw: { ...read, schema: read.schema.map(rawElement) } };
  });
  const { read, columns, raw } = metadata;
  const twice = columns.find(({ name }, i) => columns.findIndex((other) => other.name === name) < i);
  if (twice !== undefined) {
    throw badFile(path, `has two columns called ${shownName(twice.name)}.`, "Rename one of them.");
  }
  await guarded(path, async () => checkPaths(read));
  const tree = parquetSchema(raw);
  const decoder = new TextDecoder("utf-8", { fatal: invalidUtf8 === "refuse", ignoreBOM: true });
  const parsers = {
    ...DEFAULT_PARSERS,
    stringFromBytes: (bytes: Uint8Array) => bytes && decoder.decode(bytes),
    // The oldest kind of timestamp, of 12 bytes; the others arrive as they stand.
    timestampFromNanoseconds: (nanos: bigint) => nanos,
  };

  async function* slices(): AsyncGenerator<ParquetSlice> {
    let first = 1;
    for (const group of raw.row_groups) {
      const nRows = Number(group.num_rows);
      const nSlices = Math.max(1, (Number(group.total_byte_size) || 0) / SLICE_BYTES, nRows / MAX_SLICE_ROWS);
      const step = Math.max(1, Math.ceil(nRows / Math.ceil(nSlices)));
      const readers = nRows === 0 ? [] : await guarded(path, async () => readersOf(group));
      for (let at = 0; at < nRows; at += step) {
        const rows = await guarded(path, () => rowsOf(readers, Math.min(step, nRows - at)));
        yield { first, rows };
        first += rows.length;
      }
    }
  }

  function readersOf(group: RowGroup): CellReader[] {
    const leaves = new Map<string, LeafColumn>();
    for (const { meta_data: meta, file_path: elsewhere } of group.columns) {
      if (elsewhere !== undefined) throw new Error(`a column lies in another file, ${shownName(elsewhere)}`);
      if (meta === undefined) continue;
      const schemaPath = getTreePath(tree, meta.path_in_schema);
      const decoder = {
        ...{ meta, schemaPath, element: schemaPath.at(-1)!.element, parsers, compressors: carefully },
        maxDefinition: getMaxDefinitionLevel(schemaPath),
        maxRepetition: getMaxRepetitionLevel(schemaPath.slice(1)),
      };
      leaves.set(pathKey(meta.path_in_schema), new LeafColumn(decoder, columnPages(decoder, file.slice)));
    }
    const columnOf = (at: readonly string[]): LeafColumn => {
      const leaf = leaves.get(pathKey(at));
      if (leaf === undefined) throw new Error(`it has no values of its column ${shownName(at.join("."))}`);
      return leaf;
    };
    return tree.children.map((column) => cellReader(column, columnOf, { parsers }));
  }

  return {
    columns,
    nRows: Number(read.num_rows),
    said: (key) => read.key_value_metadata?.find((pair) => pair.key === key)?.value ?? null,
    slices,
  };
}

/** The next rows of a group, column by column. */
async function rowsOf(readers: readonly CellReader[], nRows: number): Promise<unknown[][]> {
  const rows = Array.from({ length: nRows }, () => new Array<unknown>(readers.length));
  for (const [j, { leaves, read }] of readers.entries()) {
    for (const leaf of leaves) {
      leaf.entries = await leaf.column.take(nRows);
      leaf.at = 0;
      leaf.valueAt = 0;
    }
    for (const row of rows) {
      row[j] = read();
      for (const { entries, at } of leaves) {
        const isWhole = at === entries.repetition.length || entries.repetition[at] === 0;
        if (!isWhole) throw new Error("the parts of a row do not fit together");
      }
    }
  }
  return rows;
}

/** The end of a file describes the rest; it is walked once before the library builds anything of it. */
async function checkFooter({ byteLength, read }: ByteSource): Promise<void> {
  const length = new DataView(await read(byteLength - 8, byteLength - 4)).getUint32(0, true);
  if (length > byteLength - 12) throw new Error(`its end claims ${length} of its ${byteLength} bytes`);
  thriftEnd(new DataView(await read(byteLength - 8 - length, byteLength - 8)), 0);
}

/**
 * A column that is none of the schema's, or that stands there twice, is read by the library and waited for by nobody:
 * what is wrong with it would end the process.
 */
function checkPaths(metadata: FileMetaData): void {
  const leaves = new Set(leafPaths(parquetSchema(metadata)));
  for (const { columns } of metadata.row_groups) {
    const paths = columns.flatMap(({ meta_data: about }) =>
      about === undefined ? [] : [pathKey(about.path_in_schema)],
    );
    if (new Set(paths).size === paths.length && paths.every((path) => leaves.has(path))) continue;
    throw new Error("its columns are not those of its schema");
  }
}

function leafPaths({ children, path }: SchemaTree): string[] {
  return children.length === 0 ? [pathKey(path)] : children.flatMap(leafPaths);
}

function pathKey(path: readonly string[]): string {
  return path.join("\0");
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Names that no object of the library could have as a key, as ones that it can. */
function withPlainNames(metadata: FileMetaData): FileMetaData {
  const plain = (name: unknown) => {
    if (typeof name !== "string") throw new Error("a column has no name");
    return name === PROTO ? PROTO_KEY : name;
  };
  return {
    ...metadata,
    schema: metadata.schema.map((element) => ({ ...element, name: plain(element.name) })),
    row_groups: metadata.row_groups.map((group) => ({
      ...group,
      columns: group.columns.map((chunk) => {
        const meta = chunk.meta_data;
        return meta === undefined
          ? chunk
          : { ...chunk, meta_data: { ...meta, path_in_schema: meta.path_in_schema.map(plain) } };
      }),
    })),
  };
}

function isEncrypted(chunk: RowGroup["columns"][number]): boolean {
  return chunk.crypto_metadata !== undefined || chunk.encrypted_column_metadata !== undefined;
}

function depthChecked(tree: SchemaTree, depth: number, path: string): SchemaTree {
  if (depth > MAX_JSON_DEPTH) {
    throw badFile(path, `nests deeper than ${MAX_JSON_DEPTH} levels.`, "Flatten its columns, or keep them as text.");
  }
  for (const child of tree.children) depthChecked(child, depth + 1, path);
  return tree;
}

function fieldOf(tree: SchemaTree): ParquetField {
  const { name } = tree.element;
  return { name: name === PROTO_KEY ? PROTO : name, key: name, node: nodeOf(tree) };
}

function nodeOf(tree: SchemaTree): ParquetNode {
  const { element, children } = tree;
  const node = isLeaf(tree) ? leafNode(element) : groupNode(tree);
  // Without a LIST around it, repetition makes the list.
  return element.repetition_type === "REPEATED" ? { kind: "list", element: node } : node;

  function groupNode({ element: { converted_type: type, logical_type: logical } }: SchemaTree): ParquetNode {
    const [only] = children;
    if (logical?.type === "VARIANT") return { kind: "plain" };
    if (only !== undefined && children.length === 1 && only.element.repetition_type === "REPEATED") {
      if (type === "LIST" && only.children.length <= 1) {
        return { kind: "list", element: isLeaf(only) ? leafNode(only.element) : nodeOf(only.children[0]!) };
      }
      if (isMap(type) && only.children.length === 2) {
        const [key, value] = only.children.map(fieldOf) as [ParquetField, ParquetField];
        return { kind: "map", entries: only.element.name, key, value };
      }
    }
    return { kind: "struct", fields: children.map(fieldOf) };
  }
}

const isLeaf = ({ children }: SchemaTree): boolean => children.length === 0;

const isMap = (type: SchemaElement["converted_type"]): boolean => type === "MAP" || type === "MAP_KEY_VALUE";

function leafNode({ type, converted_type: converted, logical_type: logical, scale }: SchemaElement): ParquetNode {
  if (type === "INT96") return { kind: "timestamp", unit: "NANOS", isUtc: true };
  if (logical?.type === "TIMESTAMP") return { kind: "timestamp", unit: logical.unit, isUtc: logical.isAdjustedToUTC };
  if (logical?.type === "TIME") return { kind: "time", unit: logical.unit, isUtc: logical.isAdjustedToUTC };
  if (logical?.type === "DECIMAL") return { kind: "decimal", scale: logical.scale };
  if (logical?.type === "JSON") return { kind: "json" };
  switch (converted) {
    case "TIMESTAMP_MILLIS":
    case "TIMESTAMP_MICROS":
      return { kind: "timestamp", unit: converted === "TIMESTAMP_MILLIS" ? "MILLIS" : "MICROS", isUtc: true };
    case "TIME_MILLIS":
    case "TIME_MICROS":
      return { kind: "time", unit: converted === "TIME_MILLIS" ? "MILLIS" : "MICROS", isUtc: true };
    case "DECIMAL":
      return { kind: "decimal", scale: scale ?? 0 };
    case "DATE":
      return { kind: "date" };
    case "JSON":
      return { kind: "json" };
    default:
      return { kind: "plain" };
  }
}

/** Types that the library would round, refuse or lose a key of. Without them the values arrive as they stand. */
const KEPT_RAW: ReadonlySet<string> = new Set([
  ...["DECIMAL", "DATE", "TIME", "TIMESTAMP", "JSON", "BSON", "INTERVAL", "MAP", "MAP_KEY_VALUE"],
  ...["TIME_MILLIS", "TIME_MICROS", "TIMESTAMP_MILLIS", "TIMESTAMP_MICROS"],
]);

function rawElement(element: SchemaElement): SchemaElement {
  const { converted_type: converted, logical_type: logical, ...raw } = element;
  return {
    ...raw,
    ...(converted === undefined || KEPT_RAW.has(converted) ? {} : { converted_type: converted }),
    ...(logical === undefined || KEPT_RAW.has(logical.type) ? {} : { logical_type: logical }),
  };
}

/** Every codec, asked for no more than it can give. */
const carefully: Compressors = careful(compressors);

function careful(all: Compressors): Compressors {
  return Object.fromEntries(
    Object.entries(all).map(([codec, unpack]) => [
      codec,
      (input: Uint8Array, length: number) => {
        if (length > MAX_PAGE_BYTES) throw new Error(`one of its pages claims to unpack to ${length} bytes`);
        // A column of nulls has pages of nothing, at which the library's LZ4 stumbles.
        return length === 0 ? new Uint8Array() : unpack(input, length);
      },
    ]),
  );
}

async function guarded<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw parquetFault(path, error);
  }
}

/** Whatever went wrong with the content of a file: no code that reads it foresees every damage. */
export function parquetFault(path: string, error: unknown): unknown {
  if (error instanceof SchemaError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") {
    return badFile(path, "has text that is not UTF-8.", 'Read it with invalidUtf8: "replace".', error);
  }
  // What the disk says is no fault of the file's content.
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return error;
  const { message } = error as Error;
  // What the engine says when the library was led astray tells nobody anything.
  const isAstray = error instanceof TypeError || error instanceof RangeError || /\b(?:undefined|NaN)\b/.test(message);
  return damaged(path, isAstray ? "its parts do not fit together" : message.replace(/^parquet /, ""), error);
}

function damaged(path: string, why: string, cause?: unknown): SchemaError {
  return badFile(path, `is damaged Parquet: ${why}.`, "Fetch or write the file again.", cause);
}

function encrypted(path: string): SchemaError {
  return badFile(path, "is encrypted Parquet.", "Write it without encryption, or as JSONL.");
}

function badFile(path: string, what: string, fix: string, cause?: unknown): SchemaError {
  return new SchemaError("bad_file", `${named(path)} ${what}`, fix, { place: { file: path }, cause });
}

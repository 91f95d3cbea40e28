import { basename, dirname, extname, join } from "node:path";
import { isObject, type Row, type RowSource } from "@while/schema";
import type { ReadFilesOptions } from "@while/schema/files";
import { checkRows, type RunSource, rulesOf, type SourceParts, sourceParts } from "../source.ts";
import { invalidOption } from "../training-rows.ts";
import type { Manifest } from "./manifest.ts";
import { type KnownBeside, PathRows } from "./path-rows.ts";
import { refuseOverwrite } from "./same-file.ts";
import { hashedSources } from "./source-hashes.ts";

/** A source of rows, or the path or paths of files: anything `readRowFiles` reads, `-` for standard input. */
export type DatasetSource = RowSource | RunSource | Iterable<Row> | AsyncIterable<Row> | string | readonly string[];

export type KnownParts = Pick<SourceParts<unknown>, "rules" | "tools">;

/** A source that was read to its end. */
export interface ReadSource<T> {
  run: T;
  sources: Manifest["sources"];
  unsafeIntegers: number;
}

/**
 * Hands every row of a source to what `begin` makes of the rules and tools that are known. Where files turn out to hold
 * those in their lines, it begins anew with them.
 *
 * @param outputs Files that are going to be written, and must not be read
 */
export async function readSource<T extends { add(row: Row): void }>(
  source: DatasetSource,
  { read, outputs }: { read: ReadFilesOptions | undefined; outputs: readonly string[] },
  begin: (parts: KnownParts) => T,
): Promise<ReadSource<T>> {
  if (!isPaths(source)) {
    if (read !== undefined) throw invalidOption("read is for paths, and the source is rows.", "Leave it out.");
    const parts = sourceParts<Iterable<Row> | AsyncIterable<Row>>(source as Iterable<Row>);
    if (!isAsync(parts.rows)) checkRows(parts.rows);
    const run = begin(parts);
    for await (const row of parts.rows) run.add(row);
    return { run, sources: [], unsafeIntegers: 0 };
  }
  // Options are checked before a file is touched.
  begin({ rules: rulesOf(null), tools: null });
  const reader = await PathRows.open(typeof source === "string" ? [source] : source, read ?? {});
  for (const output of outputs) await refuseOverwrite(output, reader.guarded);
  const sources = await hashedSources(reader.files);
  const beside = await reader.sidecars();
  const readAll = async (parts: KnownParts): Promise<T> => {
    const run = begin(parts);
    for await (const row of reader.rows()) run.add(row);
    return run;
  };
  let run = await readAll(beside);
  const known = reader.known(beside);
  if (!isSameKnown(known, beside)) run = await readAll(known);
  return { run, sources, unsafeIntegers: reader.report?.unsafeIntegers ?? 0 };
}

export function isSameKnown({ rules, tools }: KnownBeside, before: KnownBeside): boolean {
  return rules.text === before.rules.text && tools === before.tools && rules.bySha.size === before.rules.bySha.size;
}

/** The name of the file beside the one that is read; null for several, or for standard input. */
export function defaultOutput(reader: PathRows, ending: string): string | null {
  const [file, another] = reader.files;
  if (file === undefined || another !== undefined || reader.isBuffered) return null;
  const plain = file.replace(/\.gz$/, "");
  return join(dirname(plain), `${basename(plain, extname(plain))}.${ending}`);
}

export function isPaths(source: DatasetSource): source is string | readonly string[] {
  if (typeof source === "string") return true;
  return Array.isArray(source) && source.length > 0 && source.every((path) => typeof path === "string");
}

export function isAsync(rows: unknown): rows is AsyncIterable<Row> {
  return isObject(rows) && Symbol.asyncIterator in rows;
}

import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Row } from "@while/schema";
import { type Meta, openRowWriter, rowPaths, sidecarPath, writeParquet } from "@while/schema/files";
import { CliError } from "../cli-error.ts";
import type { Call } from "../verb.ts";
import type { Sink } from "./io.ts";
import { onInterrupt } from "./on-interrupt.ts";

/** The path that means standard output. */
export const STDOUT = "-";

/**
 * Refuses an output that is one of the files that are read, by whatever name or link it is called, or whose sidecar
 * is one of theirs.
 *
 * @param sidecar false for an output without a sidecar, or with one that says what that of the input says
 * @throws CliError `same_file`
 */
export async function refuseOverwrite(
  inputs: readonly string[],
  output: string,
  { sidecar: hasSidecar = true }: { sidecar?: boolean } = {},
): Promise<void> {
  if (output === STDOUT) return;
  for (const input of await rowPaths(inputs)) {
    if (input === STDOUT) continue;
    if (isSameFile(input, output)) throw sameFile(`${output} is a file that is read.`);
    if (!hasSidecar) continue;
    const sidecar = sidecarPath(input);
    if (existsSync(sidecar) && isSameFile(sidecar, sidecarPath(output))) {
      throw sameFile(`${output} would share ${sidecar} with ${input}, which is read.`);
    }
  }
}

const sameFile = (what: string): CliError => new CliError("same_file", what, "Write to a file of another name.");

/** By path with links resolved, and for hard links by what the disk calls the file. */
function isSameFile(input: string, output: string): boolean {
  if (realPathOf(input) === realPathOf(output)) return true;
  const [one, other] = [input, output].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}

/** Links resolved; a file that does not exist yet lies in its folder's real path. */
function realPathOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(resolve(path));
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : resolve(path);
}

/** Where the report of a verb that makes rows goes: with `-o` the rows are the output, and it stands beside them. */
export function reportSink({ io, common, output }: Call): Sink {
  if (output === undefined || (common.json === true && output !== STDOUT)) return io.stdout;
  return io.stderr;
}

/**
 * Writes rows to a file, whole or not at all, or to stdout for as long as somebody reads there: as Parquet where the
 * name says so, and else as JSONL.
 *
 * @param meta For the sidecar; asked for when the last row is through
 * @returns Whether all of them were written; false when the reader of stdout went away
 */
export async function writeRows(
  output: string,
  rows: Iterable<Row> | AsyncIterable<Row>,
  meta: () => Meta = () => ({}),
): Promise<boolean> {
  return await (/\.parquet$/i.test(output) ? writeTable : writeLines)(output, rows, meta);
}

/** The same as JSONL, whatever the file is called. */
export async function writeLines(
  output: string,
  rows: Iterable<Row> | AsyncIterable<Row>,
  meta: () => Meta = () => ({}),
): Promise<boolean> {
  return await onInterrupt(async () => {
    const writer = await openRowWriter(output);
    try {
      for await (const row of rows) await writer.write(row);
      const said = newsOf(meta());
      await writer.close(said === undefined ? {} : { meta: said });
      return true;
    } catch (error) {
      await writer.abort();
      if (output === STDOUT && (error as NodeJS.ErrnoException).code === "EPIPE") return false;
      throw error;
    }
  });
}

/** The same as Parquet, whatever the file is called. */
export async function writeTable(
  output: string,
  rows: Iterable<Row> | AsyncIterable<Row>,
  meta: () => Meta = () => ({}),
): Promise<true> {
  await onInterrupt(() => writeParquet(output, rows, { meta: () => newsOf(meta()) }));
  return true;
}

/** What a sidecar is worth writing for; the version alone is no news. */
function newsOf(meta: Meta): Meta | undefined {
  return Object.keys(meta).some((key) => key !== "schema_version") ? meta : undefined;
}

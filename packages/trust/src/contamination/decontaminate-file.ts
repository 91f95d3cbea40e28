import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { isObject, type Row } from "@while/schema";
import { openFileAtomically, readJsonl, readRowFiles } from "@while/schema/files";
import { TrustError } from "../trust-error.ts";
import { BlockMatcher } from "./block-matcher.ts";
import { matchedInOrder } from "./block-pool.ts";
import { indexOf } from "./build-eval-index.ts";
import { commonGrams } from "./decontaminate.ts";
import { type MatchedBlock, startWorkers } from "./decontaminate-worker.ts";
import type { DecontaminationReport } from "./decontamination-report.ts";
import type { EvalIndex } from "./eval-index.ts";
import { type Against, SOURCE_NAMES, type SourceOptions } from "./eval-sources.ts";
import type { FalseAlarms } from "./false-alarms.ts";
import { lineBlocks } from "./line-blocks.ts";
import { measuredFalseAlarmsSync } from "./measured-false-alarms.ts";
import { type DecontaminateOptions, type Settings, settingsOf } from "./options.ts";
import type { MatcherSetup } from "./row-matcher.ts";
import { DecontaminationTally } from "./tally.ts";

/** Large enough that handing a block over costs nothing beside matching it. */
const BLOCK_BYTES = 2 ** 20;
/** Below this a worker takes longer to start than the file to match. */
const WORTH_WORKERS = 20_000_000;

export interface DecontaminateFileOptions extends DecontaminateOptions, SourceOptions {
  /** Where the clean lines go, byte for byte as they were; nowhere when left out. */
  output?: string;
  /** Threads; the machine's when left out, and none for a file under 20 MB. The result does not depend on it. */
  workers?: number;
  /** Bytes that are matched at a time. The result does not depend on it. */
  blockBytes?: number;
  /** `error` stops at the first line that is no JSON; `skip` leaves such lines out and counts them. */
  onBadRow?: "error" | "skip";
  onProgress?: (progress: { rows: number; bytes: number; totalBytes: number }) => void;
}

const NAMES = [...SOURCE_NAMES, "output", "workers", "blockBytes", "onBadRow", "onProgress"];

/**
 * `decontaminate` from a JSONL file to a JSONL file, on all cores and in memory that the file's size has no part in:
 * that of the evaluation, and two blocks a worker. Clean lines are copied as bytes. With `rowBackground` the file is
 * read twice. Files of other formats and packed ones are `decontaminateStream`'s, and an embedder is `decontaminate`'s.
 *
 * @throws TrustError `bad_option`, `bad_source`, `bad_row` for a line that is no JSON, `bad_index`; `SchemaError` for files
 */
export async function decontaminateFile(
  path: string,
  against: Against,
  options: DecontaminateFileOptions = {},
): Promise<DecontaminationReport> {
  const settings = settingsOf(options, NAMES);
  const { output, blockBytes = BLOCK_BYTES, onBadRow = "error", onProgress } = options;
  wholeNumber("blockBytes", blockBytes, 1);
  if (onBadRow !== "error" && onBadRow !== "skip") {
    throw new TrustError("bad_option", `onBadRow is ${JSON.stringify(onBadRow)}.`, "Pass error or skip.");
  }
  const index = await indexOf(against, settings, { read: readEvalRows, ...options });
  const { size } = await stat(path).catch((cause: unknown) => {
    throw new TrustError("bad_source", `There is no file ${path}.`, "Check the path.", { cause });
  });
  const { workers = size < WORTH_WORKERS ? 0 : availableParallelism() } = options;
  wholeNumber("workers", workers, 0);
  const { setup, ignored, falseAlarms, matcher } = await prepared(path, index, settings, {
    isKept: workers < 2,
    knownClean: options.knownClean,
  });
  const tally = new DecontaminationTally(index, settings);
  const blocks = lineBlocks(path, blockBytes);
  const matched =
    matcher !== null
      ? matchedHere(blocks, matcher)
      : matchedInOrder(blocks, startWorkers(workers, { index, settings, setup, ignored }));
  const out = output === undefined ? null : await openFileAtomically(output);
  let [rows, lines, bytes, nBadLines] = [0, 0, 0, 0];
  try {
    for await (const { block, findings } of matched) {
      const { badLines, firstBad, clean } = findings;
      if (firstBad !== null && onBadRow === "error") {
        throw new TrustError(
          "bad_row",
          `${path}, line ${lines + badLines[0]! + 1} ${firstBad}.`,
          'Correct it. onBadRow: "skip" (--skip-bad) leaves bad lines out and counts them.',
        );
      }
      for (const [row, finding] of findings.findings) tally.add(rows + row, finding);
      tally.addClean(clean);
      await out?.write(kept(block, findings.dropped));
      rows += clean.n + findings.findings.length;
      lines += findings.nLines;
      bytes += block.length;
      nBadLines += badLines.length;
      onProgress?.({ rows, bytes, totalBytes: size });
    }
    await out?.commit();
  } catch (error) {
    await out?.abort();
    throw error;
  }
  return tally.report({ ...setup.reading, falseAlarms, nBadLines });
}

/** What every thread works by. The matcher that found it out is let go where workers have their own. */
async function prepared(
  path: string,
  index: EvalIndex,
  settings: Settings,
  { isKept, knownClean }: { isKept: boolean; knownClean: readonly Row[] | undefined },
): Promise<{
  setup: MatcherSetup;
  ignored: Uint8Array | null;
  falseAlarms: FalseAlarms;
  matcher: BlockMatcher | null;
}> {
  const matcher = new BlockMatcher(index, settings);
  const setup = matcher.rows.setup();
  const { rowBackground } = settings;
  const nGrams = index.grams.starts.length - 1;
  const ignored = rowBackground === null ? null : await commonIn(path, matcher, rowBackground, nGrams);
  matcher.rows.ignore(ignored);
  const falseAlarms = measuredFalseAlarmsSync(matcher.rows, knownClean);
  return { setup, ignored, falseAlarms, matcher: isKept ? matcher : null };
}

/**
 * Rows of an evaluation's file. Objects with a prompt are taken as they stand in their lines, so that every field of them
 * can be compared; a file of another kind or another tool is read as the schema package reads it.
 */
export async function readEvalRows(source: string | URL): Promise<readonly Row[]> {
  const path = source instanceof URL ? fileURLToPath(source) : source;
  if (/\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(path)) {
    const { rows } = await readJsonl(path);
    if (rows.length === 0 || rows.some((row) => row.prompt !== undefined)) return rows as readonly Row[];
  }
  return (await readRowFiles([path])).rows;
}

/**
 * Whether a file is JSONL of rows with a prompt or messages, so that its lines can be copied. A packed file, a stream, and
 * the lines of another tool are not.
 */
export async function isRowLines(path: string): Promise<boolean> {
  if (!/\.(?:jsonl|ndjson)$/i.test(path) || !(await stat(path).catch(() => null))?.isFile()) return false;
  for await (const block of lineBlocks(path, 1)) {
    const text = new TextDecoder().decode(block).trim();
    if (text === "") continue;
    try {
      const first: unknown = JSON.parse(text);
      return isObject(first) && (typeof first.prompt === "string" || Array.isArray(first.messages));
    } catch {
      return false; // No JSON: whoever reads the file in full says so, with the place.
    }
  }
  return false;
}

async function* matchedHere(
  blocks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  matcher: BlockMatcher,
): AsyncGenerator<MatchedBlock> {
  for await (const block of blocks) yield { block, findings: matcher.match(block) };
}

/** Runs of the evaluation that more than this share of the file's rows has. */
async function commonIn(
  path: string,
  matcher: BlockMatcher,
  share: number,
  nGrams: number,
): Promise<Uint8Array | null> {
  const counts = new Uint32Array(nGrams);
  let n = 0;
  for await (const block of lineBlocks(path, BLOCK_BYTES)) {
    for (const { value } of matcher.lines(block)) {
      if (!isObject(value)) continue;
      n++;
      matcher.rows.countGrams(value as Row, counts);
    }
  }
  return commonGrams(counts, n, share);
}

function kept(block: Uint8Array, dropped: Uint32Array): Uint8Array {
  if (dropped.length === 0) return block;
  const clean = new Uint8Array(block.length);
  let from = 0;
  let length = 0;
  for (let i = 0; i <= dropped.length; i += 2) {
    const part = block.subarray(from, dropped[i] ?? block.length);
    clean.set(part, length);
    length += part.length;
    from = dropped[i + 1] ?? block.length;
  }
  return clean.subarray(0, length);
}

function wholeNumber(name: string, value: unknown, least: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least) return;
  throw new TrustError("bad_option", `${name} is ${String(value)}.`, `Pass a whole number, ${least} or more.`);
}

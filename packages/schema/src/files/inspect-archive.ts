import { isObject } from "../is-object.ts";
import { excerpt, named } from "../json/container.ts";
import { emptyNotes, type JsonNotes, parseJsonText, type UnsafeIntegers } from "../json/json-text.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { InspectArchiveHead } from "../readers/inspect-archive-head.ts";
import { SchemaError } from "../schema-error.ts";
import { type ChunkedSample, chunkedPart, wholeSample } from "./inspect-chunks.ts";
import type { ZipArchive, ZipEntry } from "./zip-archive.ts";

/** One sample in an archive, its bytes not read yet. */
interface ArchivedSample {
  /** Name of the entry, or of the folder of one that lies in pieces. */
  name: string;
  packedBytes: number;
  /** @throws SchemaError `bad_value` for one that is no JSON object, `bad_file` for damaged entries */
  read(notes: JsonNotes): Promise<SourceObject>;
}

/** A log of Inspect in its archive. */
export interface InspectArchive {
  head: InspectArchiveHead;
  samples: readonly ArchivedSample[];
  /** Entries beside the log's own, and names that lead out of the archive; they are not read. */
  ignored: readonly string[];
  /** Samples that stand there more than once; the last counts, as for Inspect. */
  nReplaced: number;
}

export interface ArchiveOptions {
  /** For errors. */
  path: string;
  unsafeIntegers: UnsafeIntegers;
  invalidUtf8: "refuse" | "replace";
  onRecord?: ((record: SourceObject, text: string) => void) | undefined;
}

const HEADER = "header.json";
/** What a run writes before its first sample; the first archives had it at their top. */
const STARTS = ["_journal/start.json", "start.json"];
/** The rest of a header, in the first archives. */
const RESULTS = "results.json";
const SUMMARIES = ["summaries.json", "summary.json"];
const SUMMARY_PART = /^(?:_journal\/)?summaries\/(\d+)\.json$/;
const SAMPLE = /^samples\/.+_epoch_\d+\.json$/s;
/** What else a log has: the samples' scores once more, averaged, and what was changed while it ran. */
const KNOWN = /^(?:reductions\.json|_journal\/.*)$/;

/** Files that a refusal names before it counts the rest. */
const NAMED_FILES = 5;

/** Whether an archive is a log of Inspect, by the names in it. */
export function isInspectArchive({ entries }: ZipArchive): boolean {
  return [HEADER, ...STARTS].some((name) => entries.has(name));
}

/** The sentence about an archive that is something else, with what it holds. */
export function otherArchive({ entries }: ZipArchive, path: string): SchemaError {
  const names = [...entries.keys()];
  const more = names.length > NAMED_FILES ? ` and ${names.length - NAMED_FILES} more` : "";
  const shown = names.slice(0, NAMED_FILES).map((name) => excerpt(name));
  const isCut = names.some((name) => SAMPLE.test(name));
  const what = isCut
    ? "of an Inspect log without its beginning: it has samples, and neither header.json nor _journal/start.json"
    : names.length === 0
      ? "without a file in it"
      : `and no Inspect log: it holds ${shown.join(", ")}${more}`;
  return new SchemaError(
    "format_unknown",
    `${named(path)} is a zip archive ${what}.`,
    isCut ? "Fetch the log again." : "Unpack it, and give the files that hold rows.",
    { place: { file: path } },
  );
}

/**
 * Opens a log of Inspect: what it says of the run is read, the samples are not yet.
 *
 * @throws SchemaError `format_unknown` for an archive that is none, `bad_file` with the entry for a damaged one
 */
export async function openInspectArchive(zip: ZipArchive, options: ArchiveOptions): Promise<InspectArchive> {
  const { path } = options;
  if (!isInspectArchive(zip)) throw otherArchive(zip, path);
  const samples = new Map<string, ArchivedSample>();
  const chunked = new Map<string, ChunkedSample>();
  const parts: [number, ZipEntry][] = [];
  const ignored = [...zip.unsafe];
  for (const [name, entry] of zip.entries) {
    const part = chunkedPart(name);
    const summary = SUMMARY_PART.exec(name);
    if (SAMPLE.test(name)) {
      const read = (notes: JsonNotes) => sampleOf(entry, zip, notes, options);
      samples.set(name, { name, packedBytes: entry.packedBytes, read });
    } else if (part !== null) {
      const sample = chunked.get(part.folder) ?? { folder: part.folder, parts: [] };
      sample.parts.push({ ...part, entry });
      chunked.set(part.folder, sample);
    } else if (summary !== null) parts.push([Number(summary[1]), entry]);
    else if (!isOfTheLog(name)) ignored.push(name);
  }
  for (const sample of chunked.values()) {
    const packedBytes = sample.parts.reduce((sum, { entry }) => sum + entry.packedBytes, 0);
    const read = (notes: JsonNotes) => wholeSample(sample, (entry) => jsonOf(entry, zip, notes, options));
    samples.set(sample.folder, { name: sample.folder, packedBytes, read });
  }
  const log = await headerOf(zip, options);
  const summaries = await summariesOf(zip, parts, options);
  const list = [...samples.values()];
  const scored = summaries.n < list.length ? await scoresOfAll(list) : summaries.scored;
  const nReplaced = zip.replaced.filter((name) => SAMPLE.test(name)).length;
  return { head: { log, scored, nSamples: list.length }, samples: list, ignored, nReplaced };
}

function isOfTheLog(name: string): boolean {
  return [HEADER, ...STARTS, RESULTS, ...SUMMARIES].includes(name) || KNOWN.test(name);
}

/** The log without its samples. One that has no header was not brought to its end. */
async function headerOf(zip: ZipArchive, options: ArchiveOptions): Promise<SourceObject> {
  const read = async (name: string): Promise<SourceObject | null> => {
    const entry = zip.entries.get(name);
    if (entry === undefined) return null;
    const value = await jsonOf(entry, zip, emptyNotes(), options);
    if (isObject(value)) return value;
    throw noObject(options.path, name);
  };
  const header = await read(HEADER);
  if (header !== null) return header;
  const start = (await read(STARTS[0]!)) ?? (await read(STARTS[1]!));
  return { status: "started", ...start, ...(await read(RESULTS)) };
}

/** What the summaries say of the scorers, each set of them once: a log of any length has a few. */
async function summariesOf(
  zip: ZipArchive,
  parts: [number, ZipEntry][],
  options: ArchiveOptions,
): Promise<{ n: number; scored: readonly SourceObject[] }> {
  const whole = SUMMARIES.map((name) => zip.entries.get(name)).find((entry) => entry !== undefined);
  const journal = parts.sort(([a], [b]) => a - b).map(([, entry]) => entry);
  const found = new DistinctScores();
  const ids = new Set<string>();
  for (const entry of whole === undefined ? journal : [whole]) {
    const list = await jsonOf(entry, zip, emptyNotes(), options);
    for (const summary of Array.isArray(list) ? list.filter(isObject) : []) {
      ids.add(JSON.stringify([String(summary.id), summary.epoch]));
      found.add(summary);
    }
  }
  return { n: ids.size, scored: found.list };
}

/** Where summaries are missing, every sample has to be looked at before the first is a row. */
async function scoresOfAll(samples: readonly ArchivedSample[]): Promise<readonly SourceObject[]> {
  const found = new DistinctScores();
  for (const sample of samples) {
    try {
      found.add(await sample.read(emptyNotes()));
    } catch (error) {
      if (!(error instanceof SchemaError) || error.code !== "bad_value") throw error; // Refused when its turn comes.
    }
  }
  return found.list;
}

/** Samples that differ in their scorers, or in the keys of what those give. */
class DistinctScores {
  readonly list: SourceObject[] = [];
  readonly #seen = new Set<string>();

  add({ scores, score }: SourceObject): void {
    const keys = Object.entries(isObject(scores) ? scores : {}).map(([scorer, given]) => {
      const value = isObject(given) ? given.value : given;
      return [scorer, isObject(value) ? Object.keys(value) : null];
    });
    const signature = JSON.stringify([keys, isObject(score)]);
    if (this.#seen.has(signature)) return;
    this.#seen.add(signature);
    this.list.push({ ...(scores === undefined ? {} : { scores }), ...(score === undefined ? {} : { score }) });
  }
}

async function sampleOf(
  entry: ZipEntry,
  zip: ZipArchive,
  notes: JsonNotes,
  options: ArchiveOptions,
): Promise<SourceObject> {
  const text = await textOf(entry, zip, options);
  const value = parsed(text, notes, options);
  if (!isObject(value)) throw new SchemaError("bad_value", `It is no JSON object.`, "Write the log again.");
  options.onRecord?.(value, text);
  return value;
}

async function jsonOf(entry: ZipEntry, zip: ZipArchive, notes: JsonNotes, options: ArchiveOptions): Promise<unknown> {
  const text = await textOf(entry, zip, options);
  try {
    return parsed(text, notes, options);
  } catch (error) {
    if (!(error instanceof SchemaError) || error.code !== "bad_value" || entry.name.startsWith("samples/")) throw error;
    throw new SchemaError("bad_file", `${named(options.path)} has ${entry.name}. ${error.what}`, error.fix, {
      place: { file: options.path },
      cause: error,
    });
  }
}

/** @throws SchemaError `bad_value`, for a caller that knows the place */
async function textOf(entry: ZipEntry, zip: ZipArchive, { invalidUtf8 }: ArchiveOptions): Promise<string> {
  const bytes = await zip.bytesOf(entry);
  try {
    return new TextDecoder("utf-8", { fatal: invalidUtf8 === "refuse" }).decode(bytes);
  } catch (cause) {
    const fix = 'Write the log again, or read it with invalidUtf8: "replace".';
    throw new SchemaError("bad_value", "It is not UTF-8.", fix, { cause });
  }
}

function parsed(text: string, notes: JsonNotes, { unsafeIntegers }: ArchiveOptions): unknown {
  try {
    return parseJsonText(text, { unsafeIntegers, notes });
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const line = text.split("\n")[(error.place.line ?? 1) - 1] ?? "";
    const from = Math.max(0, (error.place.column ?? 1) - 40);
    const what = `${error.what.replace(/^The text /, "It ").replace(/\.$/, "")}: ${excerpt(line.slice(from))}.`;
    throw new SchemaError("bad_value", what, error.fix, { cause: error });
  }
}

function noObject(path: string, name: string): SchemaError {
  return new SchemaError("bad_file", `${named(path)} has ${name}, which is no JSON object.`, "Fetch the log again.", {
    place: { file: path },
  });
}

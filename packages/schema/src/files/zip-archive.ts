import { crc32, inflateRawSync } from "node:zlib";
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from "yauzl";
import { named } from "../json/container.ts";
import { MAX_DOCUMENT_BYTES } from "../json/document-items.ts";
import { SchemaError } from "../schema-error.ts";
import type { OpenSource } from "./random-access.ts";
import { unzstd } from "./unzstd.ts";

/** A file in an archive. */
export interface ZipEntry {
  name: string;
  /** Unpacked, as the archive claims it. */
  bytes: number;
  packedBytes: number;
  /** What tells it from others for the archive that it is of. */
  readonly entry: Entry;
}

export interface ZipArchive {
  /** By name, in the order of the directory; folders are left out. Of several with one name the last counts. */
  entries: ReadonlyMap<string, ZipEntry>;
  /** Names that came again. */
  replaced: readonly string[];
  /** Names that lead out of the archive, or are none. They are not read. */
  unsafe: readonly string[];
  /** @throws SchemaError `bad_file` with the entry, when it is encrypted, damaged, or packed in a way nobody knows */
  bytesOf(entry: ZipEntry): Promise<Uint8Array>;
}

/** Entries that an archive may have; a log of half a million samples has been cut into several. */
const MAX_ENTRIES = 500_000;

/** Unpacked bytes: of one entry, which has to be held, and of all. */
const MAX_ENTRY_BYTES = MAX_DOCUMENT_BYTES;
const MAX_ALL_BYTES = 256 * 2 ** 30;

/** How often larger a thing may become, once it is large. Logs are 5 to 50 times as large as their archive. */
const MAX_ENTRY_RATIO = 1000;
const ENTRY_RATIO_FROM = 64 * 2 ** 20;
const MAX_ALL_RATIO = 200;
const ALL_RATIO_FROM = 2 ** 30;

const MIB = 2 ** 20;

/** The directory is a hundred bytes an entry, and is asked for in pieces of that size. */
const BLOCK_BYTES = 2 ** 16;

const STORED = 0;
const DEFLATE = 8;
const ZSTD = 93;

const OTHER_METHODS: ReadonlyMap<number, string> = new Map([
  [1, "Shrink"],
  [6, "Implode"],
  [9, "Deflate64"],
  [12, "bzip2"],
  [14, "LZMA"],
  [95, "xz"],
  [98, "PPMd"],
]);

/** Whether these are the first bytes of a zip archive, of an empty one, or of one without its beginning. */
export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6));
}

/**
 * Opens a zip archive by its directory, which stands at its end. Nothing is unpacked yet; what would unpack to too much
 * is refused here already.
 *
 * @throws SchemaError `bad_file`
 */
export async function openZip(source: OpenSource, path: string): Promise<ZipArchive> {
  const reader = new SourceReader(source);
  const zip = await guarded(path, () =>
    fromRandomAccessReaderPromise(reader, source.byteLength, {
      autoClose: false,
      // Names are looked at below: one that is not to be read is no reason to read none.
      decodeStrings: false,
    }),
  );
  const entries = new Map<string, ZipEntry>();
  const replaced: string[] = [];
  const unsafe: string[] = [];
  await guarded(path, async () => {
    for await (const entry of zip.eachEntry()) {
      if (zip.entriesRead > MAX_ENTRIES) {
        throw refused(path, `holds more than ${MAX_ENTRIES} files`, "Split the run into several logs.");
      }
      const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
      if (isUnsafe(name)) unsafe.push(name);
      else if (!name.endsWith("/")) {
        // The last one stands where it was written last.
        if (entries.delete(name)) replaced.push(name);
        entries.set(name, { name, bytes: entry.uncompressedSize, packedBytes: entry.compressedSize, entry });
      }
    }
  });
  checkSizes(entries, source.byteLength, path);
  return { entries, replaced, unsafe, bytesOf: (entry) => bytesOf(entry, zip, source, path) };
}

/** An archive claims its sizes; what unpacks to more than it claims is refused where that is found. */
function checkSizes(entries: ReadonlyMap<string, ZipEntry>, archiveBytes: number, path: string): void {
  let all = 0;
  for (const { name, bytes, packedBytes } of entries.values()) {
    all += bytes;
    if (bytes > MAX_ENTRY_BYTES) {
      const limit = `more than the ${MAX_ENTRY_BYTES / MIB} MiB that one file may have`;
      throw bomb(path, `${name} unpacks to ${mib(bytes)}, ${limit}`);
    }
    if (bytes > ENTRY_RATIO_FROM && bytes > MAX_ENTRY_RATIO * packedBytes) {
      const limit = `more than ${MAX_ENTRY_RATIO} times as much`;
      throw bomb(path, `${name} unpacks from ${packedBytes} bytes to ${mib(bytes)}, ${limit}`);
    }
  }
  // By the size of the archive and not the sum of what is packed: two entries may be the same bytes of it.
  if (all > MAX_ALL_BYTES) {
    throw bomb(path, `its files unpack to ${mib(all)}, more than the ${MAX_ALL_BYTES / MIB} MiB that all may have`);
  }
  if (all > ALL_RATIO_FROM && all > MAX_ALL_RATIO * archiveBytes) {
    const limit = `more than ${MAX_ALL_RATIO} times as much`;
    throw bomb(path, `its files unpack from ${archiveBytes} bytes to ${mib(all)}, ${limit}`);
  }
}

async function bytesOf({ name, bytes, entry }: ZipEntry, zip: ZipFile, source: OpenSource, path: string) {
  const refuse = (what: string, fix: string, cause?: unknown) =>
    refused(path, `has ${name}, which ${what}`, fix, cause);
  if (entry.isEncrypted()) throw refuse("is encrypted", "Write the archive without a password.");
  const { compressionMethod: method } = entry;
  if (method !== STORED && method !== DEFLATE && method !== ZSTD) {
    const known = OTHER_METHODS.get(method);
    throw refuse(
      `is packed by method ${method}${known === undefined ? "" : ` (${known})`}`,
      "Pack it again, with deflate or zstd.",
    );
  }
  let unpacked: Uint8Array;
  try {
    const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const packed = new Uint8Array(await source.read(start, start + entry.compressedSize));
    if (method === STORED) unpacked = packed;
    else if (method === DEFLATE) unpacked = inflated(packed, bytes);
    else unpacked = unzstd(packed, bytes);
  } catch (error) {
    if (isOfTheDisk(error)) throw error;
    throw refuse(`is damaged: ${reasonOf(error)}`, FETCH_AGAIN, error);
  }
  if (unpacked.length !== bytes) {
    throw refuse(`is damaged: it unpacks to ${unpacked.length} of the ${bytes} bytes that it claims`, FETCH_AGAIN);
  }
  if (crc32(unpacked) !== entry.crc32) throw refuse("is damaged: its checksum (CRC-32) is another one", FETCH_AGAIN);
  return unpacked;
}

function inflated(packed: Uint8Array, bytes: number): Uint8Array {
  // Space for all at once: pieces that are put together take it twice.
  return inflateRawSync(packed, { chunkSize: Math.max(64, bytes), maxOutputLength: Math.max(1, bytes) });
}

const FETCH_AGAIN = "Fetch or write the file again.";

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message: string };
  if (code === "ERR_BUFFER_TOO_LARGE") return "it unpacks to more than it claims";
  if (code === "Z_BUF_ERROR") return "it breaks off";
  if (typeof code === "string" && code.startsWith("Z_")) return "it is no deflate";
  // The codes of zstd are numbers.
  if (typeof code === "number") return "it is no zstd";
  if (/overflows file bounds|unexpected EOF/.test(message)) return "it lies outside the file";
  if (/local file header/.test(message)) return "it is not where the directory says";
  return `it ${message.replace(/^it /, "")}`;
}

/** A name that leads out of the folder it would be unpacked into. Nothing is unpacked to disk; nobody means such one. */
function isUnsafe(name: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:)|\\|\0/.test(name) || name === "" || name.split("/").includes("..");
}

/** What the library says of a directory, as a clause of ours. */
const DIRECTORY_FAULTS: readonly [RegExp, string, string][] = [
  [
    /End of central directory record signature not found/,
    "breaks off: the directory at its end is missing",
    FETCH_AGAIN,
  ],
  [/strong encryption/, "is encrypted", "Write the archive without a password."],
  [/multi-disk/, "is one part of an archive in several files", "Put the parts together."],
  [/Invalid comment length/, "has bytes behind its directory, or breaks off in it", FETCH_AGAIN],
  [/unexpected EOF/, "breaks off in its directory", FETCH_AGAIN],
];

async function guarded<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SchemaError || isOfTheDisk(error)) throw error;
    const { message } = error as Error;
    const [, what, fix] = DIRECTORY_FAULTS.find(([fault]) => fault.test(message)) ?? [
      null,
      "is damaged: its directory cannot be read",
      FETCH_AGAIN,
    ];
    throw refused(path, what, fix, error);
  }
}

/** What the disk says is no fault of the archive. */
function isOfTheDisk(error: unknown): boolean {
  return /^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? "");
}

function bomb(path: string, what: string): SchemaError {
  const fix = "If the archive is to be trusted, unpack it, or write the log as JSON (inspect log convert --to json).";
  return new SchemaError("bad_file", `${named(path)} is a zip archive that is not unpacked: ${what}.`, fix, {
    place: { file: path },
  });
}

function refused(path: string, what: string, fix: string, cause?: unknown): SchemaError {
  return new SchemaError("bad_file", `${named(path)} is a zip archive that ${what}.`, fix, {
    place: { file: path },
    cause,
  });
}

function mib(bytes: number): string {
  return `${Math.ceil(bytes / MIB)} MiB`;
}

/** The bytes of a source as the library asks for them: a few at a time, next to one another. */
class SourceReader extends RandomAccessReader {
  readonly #source: OpenSource;
  #block: Uint8Array = new Uint8Array();
  #start = 0;

  constructor(source: OpenSource) {
    super();
    this.#source = source;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#bytes(position, length).then(
      (bytes) => {
        buffer.set(bytes, offset);
        callback(null, bytes.length);
      },
      (error) => callback(error as Error),
    );
  }

  /** The source is closed by whoever opened it. */
  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }

  async #bytes(position: number, length: number): Promise<Uint8Array> {
    const { byteLength } = this.#source;
    if (position < this.#start || position + length > this.#start + this.#block.length) {
      const end = Math.min(byteLength, position + Math.max(length, BLOCK_BYTES));
      if (position >= end) return new Uint8Array();
      this.#block = new Uint8Array(await this.#source.read(position, end));
      this.#start = position;
    }
    const at = position - this.#start;
    return this.#block.subarray(at, at + length);
  }
}

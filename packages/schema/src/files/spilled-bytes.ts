import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ByteList } from "../json/byte-list.ts";
import type { ByteStore } from "../json/waiting-records.ts";
import { SchemaError } from "../schema-error.ts";

/** So much stays in memory: most files never reach the disk. */
const MEMORY_BYTES = 2 ** 24;

/** What is read at a time where one slice follows on the other: records that belong together often lie together. */
const PAGE_BYTES = 2 ** 18;

/**
 * Bytes in memory as long as there are few, and behind that in a temporary file. Only its owner can read that file, and
 * it has no name any more once it is open, so that nothing is left when the process is killed.
 */
export class SpilledBytes implements ByteStore {
  readonly #head = new ByteList();
  readonly #memoryBytes: number;
  #file: number | null = null;
  #fileBytes = 0;
  /** What was read last, from byte `#pageAt` of the file on. */
  #page = new Uint8Array();
  #pageAt = 0;
  /** Where the last slice ended. */
  #reached = 0;

  constructor(memoryBytes: number = MEMORY_BYTES) {
    this.#memoryBytes = memoryBytes;
  }

  get length(): number {
    return this.#head.length + this.#fileBytes;
  }

  /** @throws SchemaError `bad_file` where the disk does not take it */
  push(bytes: Uint8Array): void {
    if (this.#fileBytes === 0 && this.#head.length + bytes.length <= this.#memoryBytes) {
      this.#head.push(bytes);
      return;
    }
    try {
      this.#file ??= openNameless();
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(this.#file, bytes, at, bytes.length - at, this.#fileBytes + at);
      }
    } catch (cause) {
      throw new SchemaError(
        "bad_file",
        `Rows of this file wait for one another, and ${tmpdir()} did not take them: ${(cause as Error).message}.`,
        "Make room there, or set TMPDIR to a folder that has as much as the file.",
        { cause },
      );
    }
    this.#fileBytes += bytes.length;
  }

  /** Of one side: what was pushed at once lies in memory as a whole, or on the disk. */
  slice(from: number, to: number): Uint8Array {
    const start = from - this.#head.length;
    if (start < 0) return this.#head.slice(from, to);
    const end = start + to - from;
    if (start < this.#pageAt || end > this.#pageAt + this.#page.length) {
      const goesOn = start === this.#reached;
      this.#page = this.#read(start, goesOn ? Math.min(Math.max(end, start + PAGE_BYTES), this.#fileBytes) : end);
      this.#pageAt = start;
    }
    this.#reached = end;
    return this.#page.subarray(start - this.#pageAt, end - this.#pageAt);
  }

  /** Gives the disk back. Nothing can be asked for afterwards. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #read(start: number, end: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(end - start);
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(this.#file!, bytes, at, bytes.length - at, start + at);
      if (read === 0) throw new Error(`The temporary file in ${tmpdir()} has become shorter.`);
      at += read;
    }
    return bytes;
  }
}

/** A file that is there as long as it is open. */
function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), "while-rows-"));
  try {
    return openSync(join(folder, "waiting"), "wx+", 0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

import { ByteList } from "./byte-list.ts";
import type { SourceObject } from "./record-reader.ts";

/** Bytes that are put one behind the other and asked for by their place. */
export interface ByteStore {
  readonly length: number;
  /** Keeps a copy: the bytes may be reused afterwards. */
  push(bytes: Uint8Array): void;
  slice(from: number, to: number): Uint8Array;
}

/** Records are written in blocks: each by itself would be an object and a call of the disk. */
const BLOCK_BYTES = 2 ** 20;

/** UTF-16 units to bytes, at most. */
const MAX_UTF8 = 3;

/**
 * Records that wait for others of their file, in the order in which they were put. They are kept as text, which takes a
 * third of what the objects take, and parsed each time they are asked for.
 */
export class WaitingRecords {
  readonly #bytes: ByteStore;
  /** Where each record ends. */
  readonly #ends: number[] = [];
  #block = new Uint8Array();
  #filled = 0;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();

  constructor(bytes: ByteStore = new ByteList()) {
    this.#bytes = bytes;
  }

  /** How many there are. */
  get length(): number {
    return this.#ends.length;
  }

  /** @returns The number by which it is asked for: 0 for the first */
  put(record: SourceObject): number {
    const text = hasOddNumber(record) ? textOf(record) : JSON.stringify(record);
    if (this.#block.length - this.#filled < MAX_UTF8 * text.length) this.#write(MAX_UTF8 * text.length);
    this.#filled += this.#encoder.encodeInto(text, this.#block.subarray(this.#filled)).written;
    this.#ends.push(this.#bytes.length + this.#filled);
    return this.#ends.length - 1;
  }

  /** The record of this number, equal to the one that was put and not the same. */
  at(number: number): SourceObject {
    const from = number === 0 ? 0 : this.#ends[number - 1]!;
    const to = this.#ends[number]!;
    const written = this.#bytes.length;
    const bytes = from < written ? this.#bytes.slice(from, to) : this.#block.subarray(from - written, to - written);
    return JSON.parse(this.#decoder.decode(bytes));
  }

  /** Hands on the block, and begins one that has room for so many bytes. */
  #write(needed: number): void {
    this.#bytes.push(this.#block.subarray(0, this.#filled));
    this.#filled = 0;
    if (this.#block.length < Math.max(needed, BLOCK_BYTES)) this.#block = new Uint8Array(Math.max(needed, BLOCK_BYTES));
  }
}

/** `1e999` and `-0` are JSON and numbers, and `JSON.stringify` writes null and 0 for them. */
function hasOddNumber(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value) || Object.is(value, -0);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasOddNumber);
  for (const key in value) if (hasOddNumber((value as SourceObject)[key])) return true;
  return false;
}

/** As `JSON.stringify`, and these numbers as they are read. */
function textOf(value: unknown): string {
  if (typeof value === "number") {
    if (Object.is(value, -0)) return "-0";
    return Number.isFinite(value) ? String(value) : value > 0 ? "1e999" : "-1e999";
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  return `{${Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${JSON.stringify(key)}:${textOf(item)}`)
    .join()}}`;
}

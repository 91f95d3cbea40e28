import { spread, tableSize } from "./vocabulary.ts";

const RUN_CHARS = 5;

/** Runs of characters by their hash, numbered. Plain data, so that threads share it. */
export interface RunTable {
  /** Open addressing: a run's number plus 1, or 0 where nothing lies. */
  slots: Int32Array;
  /** Of each slot, the hash of what lies in it. */
  hashes: Int32Array;
  size: number;
}

export function emptyRunTable(size: number): RunTable {
  const length = tableSize(size);
  return { slots: new Int32Array(length), hashes: new Int32Array(length), size: 0 };
}

/** The number of a run, or -1. */
export function runId({ slots, hashes }: RunTable, hash: number): number {
  const mask = slots.length - 1;
  for (let slot = spread(hash) & mask; ; slot = (slot + 1) & mask) {
    if (slots[slot] === 0) return -1;
    if (hashes[slot] === hash) return slots[slot]! - 1;
  }
}

/** The number of a run, which gets the next one when it is new. The table grows in place. */
export function addRun(table: RunTable, hash: number): number {
  const known = runId(table, hash);
  if (known >= 0) return known;
  if (table.size >= 0.6 * table.slots.length) {
    const larger = emptyRunTable(2 * table.size);
    for (const [slot, id] of table.slots.entries()) if (id !== 0) place(larger, table.hashes[slot]!, id);
    Object.assign(table, { slots: larger.slots, hashes: larger.hashes });
  }
  place(table, hash, ++table.size);
  return table.size - 1;
}

function place({ slots, hashes }: RunTable, hash: number, id: number): void {
  const mask = slots.length - 1;
  let slot = spread(hash) & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = id;
  hashes[slot] = hash;
}

/**
 * The runs of five characters of a text, each once. Made once a thread: what it remembers of a text is not cleared, it
 * is out of date with the next.
 *
 * A collision of two hashes takes two runs for one: one in millions, in a score that only lists.
 */
export class RunReader {
  /** Hashes of the runs that were read, in the order in which they came first. */
  hashes: Int32Array = new Int32Array(256);
  size = 0;
  #table: Int32Array = new Int32Array(512);
  #seenIn: Uint32Array = new Uint32Array(512);
  #epoch = 0;

  read(chars: Uint16Array, length: number): void {
    this.size = 0;
    this.#epoch++;
    if (length > this.hashes.length) {
      this.hashes = new Int32Array(2 * length);
      this.#table = new Int32Array(tableSize(2 * length));
      this.#seenIn = new Uint32Array(this.#table.length);
    }
    const mask = this.#table.length - 1;
    for (let at = 0; at + RUN_CHARS <= length; at++) {
      let hash = 0x811c9dc5 | 0;
      for (let i = at; i < at + RUN_CHARS; i++) hash = Math.imul(hash ^ chars[i]!, 0x01000193);
      let slot = spread(hash) & mask;
      while (this.#seenIn[slot] === this.#epoch && this.#table[slot] !== hash) slot = (slot + 1) & mask;
      if (this.#seenIn[slot] === this.#epoch) continue;
      this.#seenIn[slot] = this.#epoch;
      this.#table[slot] = hash;
      this.hashes[this.size++] = hash;
    }
  }
}

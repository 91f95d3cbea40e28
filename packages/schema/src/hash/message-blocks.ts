/** What SHA-1 and SHA-256 differ in; both eat blocks of 64 bytes as big-endian words. */
export interface WordHash {
  /** The words before the first block. */
  start: readonly number[];
  /** Words of the message schedule; a block fills the first 16. */
  schedule: number;
  /** Mixes one block, given as the first 16 words of the schedule, into the state. */
  compress: (state: Int32Array, schedule: Int32Array) => void;
}

const utf8 = new TextEncoder();

/** The UTF-8 bytes of a text (lone surrogates as U+FFFD), or the bytes given. */
export function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? utf8.encode(content) : content;
}

/** Runs a hash over a message, padded as FIPS 180-4 section 5.1.1 says, and spells the digest in hex. */
export function digestHex({ start, schedule, compress }: WordHash, bytes: Uint8Array): string {
  const state = Int32Array.from(start, (word) => word | 0);
  const words = new Int32Array(schedule);
  const nWhole = bytes.length - (bytes.length % 64);
  for (let at = 0; at < nWhole; at += 64) {
    readBlock(words, bytes, at);
    compress(state, words);
  }

  // The rest, a 1 bit, zeros, and the length in bits: one block, or two when the length no longer fits.
  const rest = bytes.length - nWhole;
  const tail = new Uint8Array(rest < 56 ? 64 : 128);
  tail.set(bytes.subarray(nWhole));
  tail[rest] = 0x80;
  const length = new DataView(tail.buffer, tail.length - 8);
  length.setUint32(0, Math.floor(bytes.length / 2 ** 29));
  length.setUint32(4, bytes.length << 3);
  for (let at = 0; at < tail.length; at += 64) {
    readBlock(words, tail, at);
    compress(state, words);
  }

  let hex = "";
  for (const word of state) hex += (word >>> 0).toString(16).padStart(8, "0");
  return hex;
}

function readBlock(words: Int32Array, bytes: Uint8Array, at: number): void {
  for (let i = 0, byte = at; i < 16; i++, byte += 4) {
    words[i] = (bytes[byte]! << 24) | (bytes[byte + 1]! << 16) | (bytes[byte + 2]! << 8) | bytes[byte + 3]!;
  }
}

/** What SHA-1 and SHA-256 differ in; both eat blocks of 64 bytes as big-endian words. */
export interface WordHash {
  /** The words before the first block. */
  start: Int32Array;
  /** Mixes one block, given as the first 16 words of the schedule, into the state. */
  compress: (state: Int32Array, schedule: Int32Array) => void;
}

const utf8 = new TextEncoder();

// Scratch space shared by all calls: a hash runs to its end before the next one starts, and of the 7 µs that a short
// key took, 4 went into fresh buffers.
const schedule = new Int32Array(80);
const fiveWords = new Int32Array(5);
const eightWords = new Int32Array(8);
const shortText = new Uint8Array(3 * 1024);
const tail = new Uint8Array(128);

/**
 * Runs a hash over the UTF-8 bytes of a text (lone surrogates as U+FFFD) or over bytes, padded as FIPS 180-4
 * section 5.1.1 says, and spells the digest in hex.
 */
export function digestHex({ start, compress }: WordHash, content: string | Uint8Array): string {
  const bytes = typeof content === "string" ? bytesOf(content) : content;
  const state = start.length === 5 ? fiveWords : eightWords;
  state.set(start);
  const nWhole = bytes.length - (bytes.length % 64);
  for (let at = 0; at < nWhole; at += 64) {
    readBlock(bytes, at);
    compress(state, schedule);
  }

  // The rest, a 1 bit, zeros, and the length in bits: one block, or two when the length no longer fits.
  const rest = bytes.length - nWhole;
  const nTail = rest < 56 ? 64 : 128;
  tail.fill(0, rest);
  for (let i = 0; i < rest; i++) tail[i] = bytes[nWhole + i]!;
  tail[rest] = 0x80;
  writeWord(nTail - 8, Math.floor(bytes.length / 2 ** 29));
  writeWord(nTail - 4, bytes.length << 3);
  for (let at = 0; at < nTail; at += 64) {
    readBlock(tail, at);
    compress(state, schedule);
  }

  let hex = "";
  for (let i = 0; i < state.length; i++) hex += (state[i]! >>> 0).toString(16).padStart(8, "0");
  return hex;
}

/** A UTF-16 unit takes three bytes at most. */
function bytesOf(text: string): Uint8Array {
  if (text.length * 3 > shortText.length) return utf8.encode(text);
  return shortText.subarray(0, utf8.encodeInto(text, shortText).written);
}

function readBlock(bytes: Uint8Array, at: number): void {
  for (let i = 0, byte = at; i < 16; i++, byte += 4) {
    schedule[i] = (bytes[byte]! << 24) | (bytes[byte + 1]! << 16) | (bytes[byte + 2]! << 8) | bytes[byte + 3]!;
  }
}

function writeWord(at: number, word: number): void {
  tail[at] = word >>> 24;
  tail[at + 1] = word >>> 16;
  tail[at + 2] = word >>> 8;
  tail[at + 3] = word;
}

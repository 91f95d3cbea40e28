import { digestHex, type WordHash } from "./message-blocks.ts";

const SHA1: WordHash = {
  start: Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0),
  compress,
};

/**
 * SHA-1 of a text's UTF-8 bytes or of bytes, as 40 hex digits. For the row keys that files already hold, not for
 * security. Half a surrogate pair is hashed as U+FFFD.
 */
export function sha1Hex(content: string | Uint8Array): string {
  return digestHex(SHA1, content);
}

/** FIPS 180-4, section 6.1.2. */
function compress(state: Int32Array, w: Int32Array): void {
  for (let i = 16; i < 80; i++) {
    const x = w[i - 3]! ^ w[i - 8]! ^ w[i - 14]! ^ w[i - 16]!;
    w[i] = (x << 1) | (x >>> 31);
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  for (let i = 0; i < 80; i++) {
    let mix: number;
    if (i < 20) mix = ((b & c) | (~b & d)) + 0x5a827999;
    else if (i < 40) mix = (b ^ c ^ d) + 0x6ed9eba1;
    else if (i < 60) mix = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    else mix = (b ^ c ^ d) + 0xca62c1d6;
    const t = (((a << 5) | (a >>> 27)) + mix + e + w[i]!) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = t;
  }
  state[0] = state[0]! + a;
  state[1] = state[1]! + b;
  state[2] = state[2]! + c;
  state[3] = state[3]! + d;
  state[4] = state[4]! + e;
}

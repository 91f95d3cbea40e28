import { gzipSync } from "node:zlib";
import type { Random } from "./random.ts";

/** What a transport, an editor or another program does to a file, one each. */
const CHANGES: readonly ((bytes: Uint8Array, other: Uint8Array, random: Random) => Uint8Array)[] = [
  // Cut off: anywhere, near the beginning, near the end, behind a character that means something.
  (bytes, _, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, _, random) => bytes.subarray(0, random.below(Math.min(64, bytes.length) + 1)),
  (bytes, _, random) => bytes.subarray(0, Math.max(0, bytes.length - random.below(64))),
  (bytes, _, random) => bytes.subarray(0, placeOfMark(bytes, random) + 1),
  (bytes, _, random) => bytes.subarray(random.below(bytes.length + 1)),
  // Two files in one: one behind the other, or the head of one and the tail of the other.
  (bytes, other) => joined(bytes, other),
  (bytes, other) => joined(bytes, LINE_BREAK, other),
  (bytes, other, random) =>
    joined(bytes.subarray(0, placeOfMark(bytes, random)), other.subarray(placeOfMark(other, random))),
  (bytes, other, random) => {
    const at = placeOfMark(bytes, random);
    const from = random.below(other.length + 1);
    return joined(bytes.subarray(0, at), other.subarray(from, from + random.below(200)), bytes.subarray(at));
  },
  // Single bytes: another one, a flipped bit, one that is gone, a structural one too many, a NUL.
  (bytes, _, random) => withByte(bytes, random, () => random.below(256)),
  (bytes, _, random) => withByte(bytes, random, (byte) => byte ^ (1 << random.below(8))),
  (bytes, _, random) => {
    const at = random.below(bytes.length + 1);
    return joined(bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(4)));
  },
  (bytes, _, random) => inserted(bytes, random, ascii(random.of(["{", "}", "[", "]", '"', ",", ":", "\\", "\n"]))),
  (bytes, _, random) => inserted(bytes, random, new Uint8Array(1 + random.below(3))),
  // Encodings.
  (bytes) => joined(new Uint8Array([0xef, 0xbb, 0xbf]), bytes),
  (bytes, _, random) => utf16(bytes, random.chance(2), random.chance(2)),
  (bytes) => Uint8Array.from(new TextDecoder().decode(bytes), (one) => one.charCodeAt(0) & 0xff),
  (bytes, _, random) =>
    inserted(
      bytes,
      random,
      new Uint8Array(random.of([[0xe9], [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf0, 0x9f]])),
    ),
  (bytes) => ascii(binary(bytes).replaceAll("\n", "\r\n")),
  (bytes) => ascii(binary(bytes).replaceAll("\n", "\r")),
  (bytes) => ascii(binary(bytes).replaceAll("\n", "\n\n \n")),
  // Packed, and packed badly.
  (bytes) => gzipSync(bytes, { level: 1 }),
  (bytes, _, random) => {
    const packed = gzipSync(bytes, { level: 1 });
    return random.chance(2)
      ? packed.subarray(0, random.below(packed.length))
      : withByte(packed, random, (b) => b ^ 0x55);
  },
  (bytes, other) => joined(gzipSync(bytes, { level: 1 }), gzipSync(other, { level: 1 })),
  // What begins like another kind of file.
  (bytes, _, random) => joined(ascii(random.of(["PK\x03\x04", "PAR1", "\x1f\x8b", "\x28\xb5\x2f\xfd", "%PDF"])), bytes),
  (bytes, _, random) => joined(ascii(random.of(["# Notes\n", "prompt,reward\n", "INFO loading\n", "[", "{\n"])), bytes),
];

/** The bytes with one change, of which some do nothing to some files. */
export function mutatedBytes(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  return random.of(CHANGES)(bytes, other, random);
}

const LINE_BREAK = new Uint8Array([0x0a]);

const MARKS = new Set(ascii('{}[]",:\n\\;'));

/** Index of a structural character. */
function placeOfMark(bytes: Uint8Array, random: Random): number {
  if (bytes.length === 0) return 0;
  let at = random.below(bytes.length);
  while (at < bytes.length - 1 && !MARKS.has(bytes[at]!)) at++;
  return at;
}

function withByte(bytes: Uint8Array, random: Random, changed: (byte: number) => number): Uint8Array {
  if (bytes.length === 0) return bytes;
  const copy = new Uint8Array(bytes);
  const at = random.below(copy.length);
  copy[at] = changed(copy[at]!);
  return copy;
}

function inserted(bytes: Uint8Array, random: Random, more: Uint8Array): Uint8Array {
  const at = random.below(bytes.length + 1);
  return joined(bytes.subarray(0, at), more, bytes.subarray(at));
}

function utf16(bytes: Uint8Array, isBigEndian: boolean, hasMark: boolean): Uint8Array {
  const text = (hasMark ? "\ufeff" : "") + new TextDecoder().decode(bytes);
  const out = new Uint8Array(text.length * 2);
  const view = new DataView(out.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), !isBigEndian);
  return out;
}

/** One character a byte, so that bytes survive the way there and back. */
function binary(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

function ascii(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "latin1"));
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

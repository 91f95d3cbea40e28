import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha1Hex } from "./sha1.ts";
import { sha256Hex } from "./sha256.ts";

test.each([
  // Examples of FIPS 180-4: one block, two blocks, and a million times "a".
  [
    "abc",
    "a9993e364706816aba3e25717850c26c9cd0d89d",
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  ],
  [
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
  [
    "a".repeat(1_000_000),
    "34aa973cd4c4daa4f61eeb2bdbad27316534016f",
    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
  ],
])("%.12s…", (text, sha1, sha256) => {
  expect(sha1Hex(text)).toBe(sha1);
  expect(sha256Hex(text)).toBe(sha256);
});

/** Lengths around the ends of a block, where padding takes one block or two. */
const lengths = [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 1023, 1024, 3073, 10_000];

test.each(lengths)("%i bytes hash as node:crypto hashes them", (length) => {
  const bytes = Uint8Array.from({ length }, (_, i) => (i * 131 + length) % 256);
  expect(sha1Hex(bytes)).toBe(createHash("sha1").update(bytes).digest("hex"));
  expect(sha256Hex(bytes)).toBe(createHash("sha256").update(bytes).digest("hex"));
});

test("any bytes and any text hash as node:crypto hashes them", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string({ unit: "binary", maxLength: 300 }), (bytes, text) => {
      for (const content of [bytes, text]) {
        expect(sha1Hex(content)).toBe(createHash("sha1").update(content).digest("hex"));
        expect(sha256Hex(content)).toBe(createHash("sha256").update(content).digest("hex"));
      }
    }),
  );
});

test("half a surrogate pair is hashed as U+FFFD, which is what a file would hold", () => {
  expect(sha256Hex("x = \ud835")).toBe(sha256Hex("x = \ufffd"));
  expect(sha1Hex("\udce6\ud83d")).toBe(sha1Hex("\ufffd\ufffd"));
});

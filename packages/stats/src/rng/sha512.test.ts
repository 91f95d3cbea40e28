import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha512 } from "./sha512.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

test("the digest of abc is the one FIPS 180-4 prints", () => {
  expect(hex(sha512(new TextEncoder().encode("abc")))).toBe(
    "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
  );
});

test("any bytes give the digest of the platform's own implementation", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(hex(sha512(bytes))).toBe(createHash("sha512").update(bytes).digest("hex"));
    }),
  );
});

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { SchemaError } from "../schema-error.ts";
import { SpilledBytes } from "./spilled-bytes.ts";

afterEach(() => void vi.unstubAllEnvs());

test("what was pushed at once is there, whether it lies in memory or on the disk, in any order", () => {
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 400 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(pieces, fc.nat(3000), fc.array(fc.nat()), (parts, memoryBytes, draws) => {
      const bytes = new SpilledBytes(memoryBytes);
      const starts: number[] = [];
      for (const part of parts) {
        starts.push(bytes.length);
        // The buffer is the pusher's, and used again.
        const reused = part.slice();
        bytes.push(reused);
        reused.fill(0);
      }
      for (const index of [...parts.keys(), ...draws.map((draw) => draw % parts.length)]) {
        const part = parts[index]!;
        expect(bytes.slice(starts[index]!, starts[index]! + part.length)).toEqual(part);
      }
      bytes.close();
    }),
    { numRuns: 60 },
  );
});

test("slices that follow on one another are those of the file, over the end of what is read at a time", () => {
  const bytes = new SpilledBytes(0);
  const block = Uint8Array.from({ length: 1_000_003 }, (_, i) => i % 251);
  bytes.push(block);
  for (let at = 0; at < block.length; at += 70_001) {
    const end = Math.min(at + 70_001, block.length);
    expect(Buffer.compare(bytes.slice(at, end), block.subarray(at, end))).toBe(0);
  }
  bytes.close();
});

test("the temporary file has no name while it is used, and few bytes need none", () => {
  const folder = mkdtempSync(join(tmpdir(), "while-spilled-"));
  vi.stubEnv("TMPDIR", folder);
  const bytes = new SpilledBytes(10);
  bytes.push(new Uint8Array(8));
  expect(readdirSync(folder)).toEqual([]);
  bytes.push(new Uint8Array(8).fill(7));
  expect(readdirSync(folder)).toEqual([]);
  expect(bytes.slice(8, 16)).toEqual(new Uint8Array(8).fill(7));
  bytes.close();
  rmSync(folder, { recursive: true });
});

test("a disk that does not take it is said, with what to do", () => {
  vi.stubEnv("TMPDIR", "/nowhere/at/all");
  const bytes = new SpilledBytes(0);
  expect(() => bytes.push(new Uint8Array(1))).toThrow(SchemaError);
  expect(() => bytes.push(new Uint8Array(1))).toThrow(
    /wait for one another, and \/nowhere\/at\/all did not take them.*TMPDIR/s,
  );
});

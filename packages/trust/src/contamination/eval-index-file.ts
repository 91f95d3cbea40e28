import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { endianness } from "node:os";
import { writeFileAtomically } from "@while/schema/files";
import { TrustError } from "../trust-error.ts";
import type { EvalIndex } from "./eval-index.ts";

const MAGIC = "WDX1";
const VERSION = 1;
const DIGEST_BYTES = 32;
/** Magic, version and the length of the header, before the header itself. */
const FRONT_BYTES = 12;
/** Arrays begin at multiples of this, so that they can be read where they lie. */
const ALIGNMENT = 8;

const ARRAYS = { Uint8Array, Uint16Array, Uint32Array, Int32Array } as const;
type ArrayName = keyof typeof ARRAYS;

/** Stands in the header where an array was. */
interface Section {
  array: ArrayName;
  at: number;
  length: number;
}

/**
 * Keeps an index for other runs: magic `WDX1`, version, a JSON header, the arrays in little-endian order, and the SHA-256
 * of all of it at the end. It holds the prompts and answers of the evaluation in the clear: keep it where those may lie.
 *
 * @throws TrustError `bad_index` on a big-endian machine; SchemaError for a path that cannot be written
 */
export async function saveEvalIndex(path: string, index: EvalIndex): Promise<void> {
  checkEndianness();
  const parts: Uint8Array[] = [];
  let at = 0;
  const header = JSON.stringify(index, (_, value: unknown) => {
    const array = nameOf(value);
    if (array === null) return value;
    const { buffer, byteOffset, byteLength, length } = value as Uint8Array;
    const section: Section = { array, at, length };
    const padding = (ALIGNMENT - (byteLength % ALIGNMENT)) % ALIGNMENT;
    parts.push(new Uint8Array(buffer, byteOffset, byteLength), new Uint8Array(padding));
    at += byteLength + padding;
    return section;
  });
  const text = Buffer.from(header);
  // Blanks behind the header, so that the first array is aligned too.
  const blanks = (ALIGNMENT - ((FRONT_BYTES + text.length) % ALIGNMENT)) % ALIGNMENT;
  const front = Buffer.alloc(FRONT_BYTES);
  front.write(MAGIC, 0, "latin1");
  front.writeUInt32LE(VERSION, 4);
  front.writeUInt32LE(text.length + blanks, 8);
  const hash = createHash("sha256");
  await writeFileAtomically(path, async (file) => {
    for (const part of [front, text, Buffer.alloc(blanks, " "), ...parts]) {
      hash.update(part);
      await file.write(part);
    }
    await file.write(hash.digest());
  });
}

/**
 * An index that `saveEvalIndex` kept. What it was built by is checked where it is used: `decontaminate` refuses one of other
 * rules or another n.
 *
 * @throws TrustError `bad_index` for a file that is none, is of another version, or is not as it was written
 */
export async function loadEvalIndex(path: string): Promise<EvalIndex> {
  checkEndianness();
  const refuse = (what: string, cause?: unknown): TrustError =>
    new TrustError("bad_index", `${path} ${what}.`, "Build it again with buildEvalIndex and saveEvalIndex.", { cause });
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new TrustError("bad_index", `There is no file ${path}.`, "Check the path.", { cause });
  });
  if (bytes.length < FRONT_BYTES + DIGEST_BYTES || bytes.toString("latin1", 0, 4) !== MAGIC)
    throw refuse("is no index");
  const version = bytes.readUInt32LE(4);
  if (version !== VERSION) throw refuse(`is an index of version ${version}, and this reads version ${VERSION}`);
  const end = bytes.length - DIGEST_BYTES;
  const digest = createHash("sha256").update(bytes.subarray(0, end)).digest();
  if (!digest.equals(bytes.subarray(end))) throw refuse("is not as it was written");
  const start = FRONT_BYTES + bytes.readUInt32LE(8);
  return JSON.parse(bytes.toString("utf8", FRONT_BYTES, start), (_, value: unknown) => {
    if (!isSection(value)) return value;
    const { array, at, length } = value;
    const Kind = ARRAYS[array];
    const from = start + at;
    // A copy: the file's buffer may begin anywhere in memory.
    return new Kind(Uint8Array.from(bytes.subarray(from, from + length * Kind.BYTES_PER_ELEMENT)).buffer);
  }) as EvalIndex;
}

function nameOf(value: unknown): ArrayName | null {
  if (!ArrayBuffer.isView(value)) return null;
  return (Object.keys(ARRAYS) as ArrayName[]).find((name) => value instanceof ARRAYS[name]) ?? null;
}

function isSection(value: unknown): value is Section {
  return typeof value === "object" && value !== null && "array" in value && String(value.array) in ARRAYS;
}

function checkEndianness(): void {
  if (endianness() === "LE") return;
  throw new TrustError(
    "bad_index",
    "This machine is big-endian, and indexes are little-endian.",
    "Build the index here.",
  );
}

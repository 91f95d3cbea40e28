import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type BadLine, type Row, readRows, rowSchema, SchemaError, WhileError } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import type { FuzzInput } from "./make-input.ts";

/** What reading came to: `rows` and `refused` are fine, `fault` is a bug of a reader. */
export interface Outcome {
  kind: "rows" | "refused" | "fault";
  /** The code of the refusal, or one sentence about the fault. */
  what: string;
}

/**
 * Reads an input and looks at what came back. Fine are rows whose numbers are numbers, whose objects are plain, and
 * which hold what the schema says; and a refusal in the package's own words, with a place and a fix.
 *
 * @param folder Where to put an input that is read from disk
 */
export async function readInput({ bytes, name, options, onDisk }: FuzzInput, folder: string): Promise<Outcome> {
  try {
    const read = onDisk
      ? await readRowFiles([written(folder, name, bytes)], options)
      : readRows(bytes, { ...options, file: name });
    const fault = rowsFault(read.rows) ?? badLinesFault(read.report.badLines) ?? pollution();
    return fault === null ? { kind: "rows", what: "" } : { kind: "fault", what: fault };
  } catch (error) {
    const fault = refusalFault(error, name) ?? pollution();
    if (fault !== null) return { kind: "fault", what: fault };
    return { kind: "refused", what: (error as SchemaError).code };
  }
}

function written(folder: string, name: string, bytes: Uint8Array): string {
  const path = join(folder, basename(name));
  writeFileSync(path, bytes);
  return path;
}

function rowsFault(rows: readonly Row[]): string | null {
  for (const [index, row] of rows.entries()) {
    const fault = plainFault(row, `row ${index}`, 0);
    if (fault !== null) return fault;
    const checked = rowSchema.safeParse(row);
    if (!checked.success) {
      const [issue] = checked.error.issues;
      return `row ${index} passed and is none: ${issue!.path.join(".")}: ${issue!.message}`;
    }
    for (const key of COUNTED) {
      for (const [name, value] of Object.entries((row[key] as object | null | undefined) ?? {})) {
        if (typeof value === "number" && !Number.isFinite(value)) return `row ${index}: ${key}.${name} is ${value}`;
      }
    }
  }
  return null;
}

/** Objects of a row whose values are numbers that somebody adds up. */
const COUNTED = ["usage", "markers", "sampling"];

/** Lists and plain objects all the way down: a prototype of its own is a key that was assigned. */
function plainFault(value: unknown, path: string, depth: number): string | null {
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") {
    return `${path} is a ${typeof value}`;
  }
  if (typeof value !== "object" || value === null) return null;
  // Readers take 512 levels, and put what they took a few levels lower.
  if (depth > 600) return `${path.slice(0, 80)} is deeper than a row may be`;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return `${path} has a prototype of its own`;
  for (const [key, item] of Object.entries(value)) {
    const fault = plainFault(item, `${path}.${key.slice(0, 40)}`, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

function badLinesFault(lines: readonly BadLine[]): string | null {
  const bad = lines.find(({ line, what }) => !(line >= 1) || what === "");
  return bad === undefined ? null : `a bad line without its place or its words: ${JSON.stringify(bad)}`;
}

function refusalFault(error: unknown, name: string): string | null {
  if (!(error instanceof WhileError)) return error instanceof Error ? (error.stack ?? String(error)) : String(error);
  const { code, what, fix } = error;
  if (code === "" || what === "" || fix === "") return `a refusal without code, what or fix: ${String(error)}`;
  if (/\b(?:undefined|\[object Object\])/.test(what)) return `a refusal that shows no value: ${what.slice(0, 300)}`;
  if (what.length > 4000) return `a refusal of ${what.length} characters: ${what.slice(0, 200)}`;
  const place = error instanceof SchemaError ? error.place : {};
  const isPlaced = place.file !== undefined || place.line !== undefined || what.includes(name);
  if (!isPlaced) return `a refusal without a place: ${what.slice(0, 300)}`;
  if ((code === "bad_line" || code === "bad_value") && place.line === undefined) {
    return `a ${code} without a line: ${what.slice(0, 300)}`;
  }
  return null;
}

function pollution(): string | null {
  const extra = [...Object.getOwnPropertyNames(Object.prototype), ...Object.getOwnPropertyNames(Array.prototype)].find(
    (key) => !KNOWN.has(key),
  );
  return extra === undefined ? null : `every object has ${extra} now`;
}

const KNOWN: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(Array.prototype),
]);

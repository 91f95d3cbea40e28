import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { isObject, SchemaError } from "@while/schema";
import { readRowFiles } from "@while/schema/files";

/** A good file of some format, from which bad ones are made. */
export interface SourceFile {
  /** Below the folder of fixtures. */
  name: string;
  format: string;
  bytes: Uint8Array;
  /** Its records, when it is JSON: a list of one for a document. */
  records: readonly unknown[] | null;
}

const FIXTURES = fileURLToPath(new URL("../../../../packages/schema/test/fixtures", import.meta.url));

/** Larger ones hold thousands of rows, of which one more that is wrong shows nothing new. */
const MAX_BYTES = 2 ** 15;

/**
 * Every fixture that is read as rows: a new format is taken as soon as there is a file of it. Formats that are chosen by
 * name alone have a file of that name.
 *
 * @returns The files of each format
 */
export async function sourceFiles(): Promise<SourceFile[][]> {
  const names = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" });
  const files = new Map<string, SourceFile[]>();
  for (const name of names.sort()) {
    const path = join(FIXTURES, name);
    const there = statSync(path);
    if (!there.isFile() || there.size > MAX_BYTES) continue;
    const format = await formatOf(path);
    if (format === null) continue;
    const bytes = new Uint8Array(readFileSync(path));
    files.set(format, [...(files.get(format) ?? []), { name, format, bytes, records: recordsOf(bytes) }]);
  }
  return [...files.values()];
}

/** null for what lies beside rows and is none. */
async function formatOf(path: string): Promise<string | null> {
  const stem = path.replace(/^.*[/\\]|\..*$/g, "");
  for (const format of ["auto", stem]) {
    try {
      return (await readRowFiles([path], { format })).report.format;
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
    }
  }
  return null;
}

function recordsOf(bytes: Uint8Array): readonly unknown[] | null {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = new TextDecoder().decode(isPacked ? gunzipSync(bytes) : bytes);
  const whole = parsed(text);
  if (whole !== undefined) return [whole];
  const lines = text.split("\n").map(parsed).filter(isObject);
  return lines.length > 0 ? lines : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A table, an archive, or one of several lines.
  }
}

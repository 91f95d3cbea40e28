import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { isObject } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import type { NormalizedResult } from "./normalize-judge-result.ts";
import type { VerdictStore } from "./verdict-store.ts";

/** A file of verdicts that is being written; `size` counts those that are at hand. */
export interface VerdictLog extends VerdictStore {
  readonly size: number;
  set(key: string, verdict: NormalizedResult): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a file of verdicts, one JSON line each, that grows as they come: when the process is killed, all that were
 * acknowledged are in it, and the next grading asks only for the others. A last line that was cut off is dropped.
 *
 * @throws TrustError `bad_file` for a file that cannot be written or holds something else
 */
export async function openVerdictLog(path: string): Promise<VerdictLog> {
  const handle = await opened(path);
  const verdicts = new Map<string, NormalizedResult>();
  try {
    await handle.truncate(await readInto(verdicts, handle, path));
  } catch (error) {
    await handle.close();
    throw error;
  }
  // One line after the other: two half lines would be none.
  let last: Promise<unknown> = Promise.resolve();
  return {
    get size() {
      return verdicts.size;
    },
    get: (key) => verdicts.get(key),
    async set(key, verdict) {
      const line = `${JSON.stringify({ key, ...verdict })}\n`;
      const written = last.then(() => handle.appendFile(line));
      last = written.catch(() => {}); // Thrown below, to whose verdict it is.
      await written;
      verdicts.set(key, verdict);
    },
    async close() {
      await last;
      await handle.sync();
      await handle.close();
    },
  };
}

async function opened(path: string): Promise<FileHandle> {
  try {
    await mkdir(dirname(path), { recursive: true });
    return await open(path, "a+");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new TrustError("bad_file", `${path} cannot be opened (${code}).`, "Give a file that you may write to.", {
      cause: error,
    });
  }
}

/** @returns Bytes up to the end of the last whole line */
async function readInto(verdicts: Map<string, NormalizedResult>, handle: FileHandle, path: string): Promise<number> {
  const bytes = await handle.readFile();
  const end = bytes.lastIndexOf(10) + 1;
  let number = 0;
  for (let at = 0; at < end; ) {
    const stop = bytes.indexOf(10, at);
    number++;
    const entry = verdictOf(bytes.toString("utf8", at, stop));
    if (entry === null) {
      throw new TrustError(
        "bad_file",
        `${path}, line ${number} is no verdict.`,
        "Name the file that an earlier grading kept its verdicts in, or a new one.",
      );
    }
    verdicts.set(entry.key, entry.verdict);
    at = stop + 1;
  }
  return end;
}

function verdictOf(line: string): { key: string; verdict: NormalizedResult } | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null; // The caller says which line it was.
  }
  if (!isObject(value)) return null;
  const { key, reward, reason, judge_status, judge_meta } = value;
  if (typeof key !== "string" || typeof reward !== "number" || judge_status !== "ok" || !isObject(judge_meta))
    return null;
  return { key, verdict: { reward, reason: typeof reason === "string" ? reason : "", judge_status, judge_meta } };
}

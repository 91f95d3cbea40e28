import { rmSync } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { SchemaError } from "../schema-error.ts";

/** A file that is being written and has not its name yet. */
export interface OpenFile {
  write(content: string | Uint8Array): Promise<void>;
}

/** Files under their temporary names, taken away when the process ends before they are done. */
const unfinished = new Set<string>();
let isWatchingExit = false;

/**
 * Writes a file under a temporary name beside its target, flushes it to the disk and renames it. Whoever looks sees
 * the old file or the whole new one. When `write` fails, nothing is left behind.
 *
 * @returns What `write` returns
 * @throws SchemaError `bad_file` when the folder cannot be written; whatever `write` throws
 */
export async function writeFileAtomically<T>(path: string, write: (file: OpenFile) => Promise<T>): Promise<T> {
  const file = await openFileAtomically(path);
  try {
    const result = await write(file);
    await file.commit();
    return result;
  } catch (error) {
    await file.abort();
    throw error;
  }
}

/** The same for a file that stays open: `commit` gives it its name, `abort` leaves no trace of it. */
export interface AtomicFile extends OpenFile {
  commit(): Promise<void>;
  abort(): Promise<void>;
}

export async function openFileAtomically(path: string): Promise<AtomicFile> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) {
    throw new SchemaError("bad_file", `${path} is a folder.`, "Give the name of a file.", { place: { file: path } });
  }
  // A pipe or a device has no second name to write under.
  const isSpecial = found !== null && !found.isFile();
  const temporary = isSpecial ? path : `${path}.${process.pid}.tmp`;
  // Before the file is there: a process that ends in between would leave it behind.
  if (!isSpecial) remember(temporary);
  const handle = await opened(path, temporary);
  let isDone = false;
  const close = async (last: () => Promise<void>) => {
    if (isDone) return;
    isDone = true;
    try {
      await last();
    } finally {
      unfinished.delete(temporary);
    }
  };
  return {
    write: (content) => writeAll(handle, content),
    commit: () =>
      close(async () => {
        if (!isSpecial) await handle.sync();
        await handle.close();
        if (!isSpecial) await rename(temporary, path);
      }),
    abort: () =>
      close(async () => {
        await handle.close();
        if (!isSpecial) await rm(temporary, { force: true });
      }),
  };
}

/** A file that is written, read back and gone: what does not fit into memory between two passes. */
export interface ScratchFile extends OpenFile {
  /** What was written, from its beginning. */
  chunks(): AsyncIterable<Uint8Array>;
  discard(): Promise<void>;
}

/** A scratch file beside the file that is to be written, which lies where there is space for it. */
export async function openScratch(path: string): Promise<ScratchFile> {
  const scratch = `${path}.${process.pid}.scratch.tmp`;
  remember(scratch);
  const handle = await opened(path, scratch, "w+");
  return {
    write: (content) => writeAll(handle, content),
    async *chunks() {
      const buffer = Buffer.allocUnsafe(2 ** 20);
      for (let at = 0; ; ) {
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
        if (bytesRead === 0) return;
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    },
    async discard() {
      await handle.close();
      await rm(scratch, { force: true });
      unfinished.delete(scratch);
    },
  };
}

async function writeAll(handle: FileHandle, content: string | Uint8Array): Promise<void> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
}

async function opened(path: string, temporary: string, flags = "w"): Promise<FileHandle> {
  try {
    await mkdir(dirname(path), { recursive: true });
    return await open(temporary, flags);
  } catch (error) {
    unfinished.delete(temporary);
    const { code } = error as NodeJS.ErrnoException;
    throw new SchemaError("bad_file", `${path} cannot be written (${code}).`, "Give a folder that you may write to.", {
      place: { file: path },
      cause: error,
    });
  }
}

function remember(temporary: string): void {
  if (!isWatchingExit) process.once("exit", removeUnfinished);
  isWatchingExit = true;
  unfinished.add(temporary);
}

function removeUnfinished(): void {
  for (const path of unfinished) rmSync(path, { force: true });
}

import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { named } from "../json/container.ts";
import { nearestName } from "../options/nearest-name.ts";
import { SchemaError } from "../schema-error.ts";

/** Large enough that the calls do not count, small enough that many files at once do not either. */
const CHUNK_BYTES = 2 ** 20;

/** The path that means standard input. */
export const STDIN = "-";

/**
 * The bytes of a file or of standard input, unpacked when they are gzip, whatever the file is called. A chunk is
 * valid until the next one is asked for: a gigabyte is read through two buffers of 1 MiB.
 *
 * @throws SchemaError `not_found`, `bad_file`
 */
export async function* byteChunks(path: string): AsyncGenerator<Uint8Array> {
  const chunks = path === STDIN ? (process.stdin as AsyncIterable<Uint8Array>) : fileChunks(path);
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  // Two bytes are needed to know; a pipe may hand out one.
  let head = first.value;
  if (head.length === 1) {
    const second = await iterator.next();
    if (!second.done) head = Buffer.concat([head, second.value]);
  }
  const whole = continued(head, iterator);
  if (head[0] === 0x1f && head[1] === 0x8b) yield* unpacked(whole, path);
  else yield* whole;
}

async function* continued(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  const handle = await opened(path);
  try {
    // While one buffer is being parsed, the other is being filled.
    let [now, next] = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)];
    let filling = handle.read(now, 0, CHUNK_BYTES, null);
    for (;;) {
      const { bytesRead } = await filling;
      if (bytesRead === 0) return;
      filling = handle.read(next, 0, CHUNK_BYTES, null);
      // What goes wrong there is thrown by the next await; without this, a loop that ends early would leave it unseen.
      filling.catch(() => {});
      yield now.subarray(0, bytesRead);
      [now, next] = [next, now];
    }
  } finally {
    await handle.close();
  }
}

async function* unpacked(packed: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // The stream reads ahead, so it is given copies; what goes wrong arrives in the loop below.
  pipeline(Readable.from(copies(packed)), gunzip, () => {});
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "Z_BUF_ERROR") {
      throw new SchemaError(
        "bad_file",
        `${named(path)} is gzip that breaks off before its end.`,
        "Fetch or write the file again.",
        { place: { file: path }, cause: error },
      );
    }
    if (code?.startsWith("Z_")) {
      throw new SchemaError("bad_file", `${named(path)} is damaged gzip.`, "Fetch or write the file again.", {
        place: { file: path },
        cause: error,
      });
    }
    throw error;
  }
}

async function* copies(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Uint8Array.from(chunk);
}

async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path, "r");
  } catch (error) {
    throw await openError(path, error as NodeJS.ErrnoException);
  }
}

/** Why a file cannot be read, with the name it may have meant. */
export async function openError(path: string, error: NodeJS.ErrnoException): Promise<SchemaError> {
  const options = { place: { file: path }, cause: error };
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") {
    return new SchemaError(
      "bad_file",
      `${path} cannot be read (${error.code ?? error.message}).`,
      "Check its rights.",
      options,
    );
  }
  const near = await nearFile(path);
  const fix = near === null ? "Check the path." : `Did you mean ${near}?`;
  return new SchemaError("not_found", `There is no file ${path}.`, fix, options);
}

async function nearFile(path: string): Promise<string | null> {
  const folder = dirname(path);
  try {
    const name = basename(path);
    // Two short names of one kind are near by their ending alone: nope.jsonl is not bom.jsonl.
    const alike = (await readdir(folder)).filter((other) => nearestName(stemOf(name), [stemOf(other)]) !== null);
    const near = nearestName(name, alike) ?? alike[0] ?? null;
    return near === null ? null : folder === "." ? near : `${folder}/${near}`;
  } catch {
    return null; // There is no such folder either; the sentence about the file says enough.
  }
}

function stemOf(name: string): string {
  return name.replace(/(?<=.)\..*$/, "");
}

/** Bytes of a file; null for a pipe and for standard input. */
export async function sizeOf(path: string): Promise<number | null> {
  if (path === STDIN) return null;
  const found = await stat(path);
  return found.isFile() ? found.size : null;
}

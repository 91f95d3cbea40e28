import { open } from "node:fs/promises";
import { named } from "../json/container.ts";
import { SchemaError } from "../schema-error.ts";
import { openError, sizeOf } from "./byte-chunks.ts";

/** Bytes that can be asked for in any order. */
export interface ByteSource {
  byteLength: number;
  read(start: number, end: number): Promise<ArrayBuffer>;
}

/** What cannot be read in any order, a pipe or gzip, is taken into memory up to this. */
const MAX_HELD_BYTES = 2 ** 30;

export interface OpenSource extends ByteSource {
  /** Whether all of it has been read by now. */
  isHeld: boolean;
  close(): Promise<void>;
}

/**
 * A file whose bytes can be asked for in any order.
 *
 * @param head Its first bytes, unpacked
 * @param chunks The others; they are read only from a pipe or from gzip
 * @throws SchemaError `bad_file`, `not_found`
 */
export async function openSource(
  path: string,
  head: Uint8Array,
  chunks: AsyncIterable<Uint8Array>,
): Promise<OpenSource> {
  return (await fileSource(path, head)) ?? (await heldSource(path, head, chunks));
}

/** null for a file that is no such file: a pipe, or one that is packed. */
async function fileSource(path: string, head: Uint8Array): Promise<OpenSource | null> {
  const byteLength = await sizeOf(path);
  if (byteLength === null) return null;
  const handle = await open(path).catch(async (error) => {
    throw await openError(path, error);
  });
  const read = async (start: number, end: number): Promise<ArrayBuffer> => {
    const bytes = new Uint8Array(end - start);
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await handle.read(bytes, at, bytes.length - at, start + at);
      if (bytesRead === 0) throw new Error("it has become shorter while it was read");
      at += bytesRead;
    }
    return bytes.buffer;
  };
  const first = new Uint8Array(await read(0, Math.min(4, byteLength)));
  if (first.every((byte, i) => byte === head[i]))
    return { byteLength, read, isHeld: false, close: () => handle.close() };
  await handle.close();
  return null;
}

async function heldSource(path: string, head: Uint8Array, chunks: AsyncIterable<Uint8Array>): Promise<OpenSource> {
  // A chunk is valid until the next one is asked for.
  const held = [Uint8Array.from(head)];
  let byteLength = head.length;
  for await (const chunk of chunks) {
    byteLength += chunk.length;
    if (byteLength > MAX_HELD_BYTES) {
      throw new SchemaError(
        "bad_file",
        `${named(path)} is more than ${MAX_HELD_BYTES / 2 ** 30} GiB of a file that is read from its end, which it has not yet.`,
        "Give it as a file on disk that is not packed: it is compressed inside.",
        { place: { file: path } },
      );
    }
    held.push(Uint8Array.from(chunk));
  }
  const bytes = new Uint8Array(byteLength);
  let at = 0;
  for (const part of held) {
    bytes.set(part, at);
    at += part.length;
  }
  const read = async (start: number, end: number) => bytes.slice(start, end).buffer;
  return { byteLength, read, isHeld: true, close: async () => {} };
}

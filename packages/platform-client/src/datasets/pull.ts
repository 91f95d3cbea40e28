import { parseJsonl, type Row } from "@while/schema";
import { downloadCard } from "../contract/catalog.ts";
import { type DownloadGrant, downloadDataset } from "../contract/datasets.ts";
import { PlatformError } from "../platform-error.ts";
import type { Transport } from "../transport/transport.ts";

/** Bytes that are parsed at a time. */
const SLICE = 1 << 20;

const NEWLINE = 10;

/**
 * The stored bytes of a set, part after part, with a newline wherever a part ended without one: the text that was
 * pushed, never re-serialized.
 *
 * @throws PlatformError `not_found`, `unreachable` and the platform's other refusals
 */
export async function* pullBytes(transport: Transport, id: string): AsyncGenerator<Uint8Array, void, undefined> {
  const grant = await grantOf(transport, id);
  const parts = Array.isArray(grant.parts) && grant.parts.length > 0 ? grant.parts : [grant.downloadUrl];
  let last = NEWLINE;
  for (const part of parts) {
    if (last !== NEWLINE) yield Uint8Array.of(NEWLINE);
    for await (const chunk of partBytes(transport, part)) {
      if (chunk.length === 0) continue;
      last = chunk.at(-1)!;
      yield chunk;
    }
    // The next part begins a line of its own; blank lines are no rows.
  }
}

/**
 * The rows of a set, one at a time: memory holds a megabyte of them. NaN and Infinity, which Python writes, read as
 * null.
 *
 * @throws PlatformError as `pullBytes`; SchemaError `bad_file` for a line that is no object
 */
export async function* pullRows(transport: Transport, id: string): AsyncGenerator<Row, void, undefined> {
  let held: Uint8Array[] = [];
  let size = 0;
  const parsed = (bytes: Uint8Array) => parseJsonl(bytes, { file: id }).rows as Row[];
  for await (const chunk of pullBytes(transport, id)) {
    held.push(chunk);
    size += chunk.length;
    if (size < SLICE) continue;
    const all = joined(held, size);
    const end = all.lastIndexOf(NEWLINE) + 1;
    yield* parsed(all.subarray(0, end));
    held = [all.subarray(end)];
    size = all.length - end;
  }
  yield* parsed(joined(held, size));
}

/** One's own set, else one of the catalog: only "not found" goes on to ask there. */
async function grantOf(transport: Transport, id: string): Promise<DownloadGrant> {
  try {
    return await transport.call(downloadDataset, { params: { id } });
  } catch (error) {
    const elsewhere = error instanceof PlatformError && (error.code === "no_key" || error.status === 404);
    if (!elsewhere) throw error;
    return transport.call(downloadCard, { params: { id } });
  }
}

async function* partBytes(transport: Transport, url: string): AsyncGenerator<Uint8Array, void, undefined> {
  const response = await transport.fetch(url);
  if (!response.ok || response.body === null) {
    throw new PlatformError(
      "refused",
      `The download was answered ${response.status}.`,
      "Its address is good for some minutes: pull again.",
      { method: "GET", status: response.status },
    );
  }
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // A caller that stops half way leaves no connection open.
    await reader.cancel();
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

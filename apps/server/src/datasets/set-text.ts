import type { BlobStore } from "../blobs/blob-store.ts";
import type { DatasetPartTable } from "../db/tables.ts";
import { HttpError } from "../http/http-error.ts";

/** The bytes of a part. @throws HttpError `upload_missing` */
export async function* bytesOf(blobs: BlobStore, part: DatasetPartTable): AsyncGenerator<Uint8Array> {
  const bytes = await blobs.get(part.blob);
  if (bytes === null)
    throw new HttpError("upload_missing", "The bytes of this set are gone from the store. Push it again.");
  yield* bytes;
}

/** All lines of a set, each part ending with a line end. */
export async function textOf(blobs: BlobStore, parts: readonly DatasetPartTable[]): Promise<string> {
  let text = "";
  for (const part of parts) {
    const decoder = new TextDecoder();
    for await (const chunk of bytesOf(blobs, part)) text += decoder.decode(chunk, { stream: true });
    text += `${decoder.decode()}\n`;
  }
  return text;
}

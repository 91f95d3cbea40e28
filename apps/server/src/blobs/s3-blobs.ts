import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { ReadableStream } from "node:stream/web";
import { AwsClient } from "aws4fetch";
import type { S3Settings } from "../settings.ts";
import { type BlobStore, checkBlobName } from "./blob-store.ts";
import { fileBlobs } from "./file-blobs.ts";

/**
 * Blobs in a bucket of any S3-compatible store, by path-style addresses. A body is kept on the disk first: S3 wants its
 * length before the first byte, and a body that breaks off must not leave an object.
 *
 * @param waiting Folder for bodies on their way
 */
export function s3Blobs(
  { endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Settings,
  waiting: string,
): BlobStore {
  const store = { accessKeyId, secretAccessKey, region, service: "s3" };
  const client = new AwsClient({ ...store, retries: 3 });
  // A body that streams can be read once: its sender tries again, with the whole of it.
  const once = new AwsClient({ ...store, retries: 0 });
  const disk = fileBlobs(waiting);
  const urlOf = (name: string) => `${endpoint}/${bucket}/${checkBlobName(name)}`;
  const refused = async (what: string, name: string, answer: Response) =>
    new Error(`The store answered ${answer.status} to ${what} ${name}: ${(await answer.text()).slice(0, 200)}`);
  return {
    async put(name, body, options) {
      const stored = await disk.put(name, body, options);
      const path = `${waiting}/${name}`;
      try {
        const { size } = await stat(path);
        const answer = await once.fetch(urlOf(name), {
          method: "PUT",
          headers: { "content-length": String(size), "x-amz-content-sha256": stored.sha256 },
          body: ReadableStream.from(createReadStream(path)) as unknown as globalThis.ReadableStream<Uint8Array>,
          // Node asks for it when a body streams.
          duplex: "half",
        } as RequestInit);
        if (!answer.ok) throw await refused("PUT", name, answer);
        await answer.body?.cancel();
      } finally {
        await disk.delete(name);
      }
      return stored;
    },
    async get(name, { from } = { from: 0 }) {
      const answer = await client.fetch(urlOf(name), from === 0 ? {} : { headers: { range: `bytes=${from}-` } });
      if (answer.status === 404) {
        await answer.body?.cancel();
        return null;
      }
      if (!answer.ok || answer.body === null) throw await refused("GET", name, answer);
      if (from > 0 && answer.status !== 206) {
        await answer.body.cancel();
        throw new TypeError(`The store answered ${answer.status} to a GET of part of ${name} and not 206.`);
      }
      return answer.body;
    },
    async delete(name) {
      const answer = await client.fetch(urlOf(name), { method: "DELETE" });
      if (!answer.ok && answer.status !== 404) throw await refused("DELETE", name, answer);
      await answer.body?.cancel();
    },
  };
}

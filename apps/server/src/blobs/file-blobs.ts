import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { access, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type BlobStore, checkBlobName } from "./blob-store.ts";
import { measured } from "./measured.ts";

/** A file, or a folder, whose name is on the disk when this returns. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Blobs as files below one folder: written beside their name, then renamed, so that a name is never half a body. */
export function fileBlobs(folder: string): BlobStore {
  const pathOf = (name: string) => join(folder, checkBlobName(name));
  return {
    async put(name, body, { maxBytes }) {
      const path = pathOf(name);
      const part = `${path}.${randomBytes(6).toString("hex")}.part`;
      await mkdir(dirname(path), { recursive: true });
      const { chunks, stored } = measured(body, maxBytes);
      try {
        await pipeline(chunks, createWriteStream(part));
        await sync(part);
        await rename(part, path);
        await sync(dirname(path));
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
      return stored();
    },
    async get(name, { from } = { from: 0 }) {
      const path = pathOf(name);
      try {
        await access(path);
      } catch {
        return null;
      }
      return createReadStream(path, { start: from });
    },
    async delete(name) {
      await rm(pathOf(name), { force: true });
    },
  };
}

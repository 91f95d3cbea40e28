/** Where the bytes of datasets lie. A name is made by the server, never by a request. */
export interface BlobStore {
  /**
   * Keeps a whole body under a name; what lay there before is replaced only when all of it has arrived.
   *
   * @returns Bytes and the SHA-256 of what was kept
   */
  put(name: string, body: AsyncIterable<Uint8Array>, options: { maxBytes: number }): Promise<StoredBlob>;
  /** The bytes, from one of them on where that is asked for, or null when nothing lies there. */
  get(name: string, range?: { from: number }): Promise<AsyncIterable<Uint8Array> | null>;
  delete(name: string): Promise<void>;
}

export interface StoredBlob {
  bytes: number;
  sha256: string;
}

/** Names are folders and words of our own making: anything else is a bug, and must not become a path. */
export function checkBlobName(name: string): string {
  if (/^[a-z0-9_]+(\/[a-z0-9_.-]+)+$/.test(name) && !name.includes("..")) return name;
  throw new TypeError(`"${name}" is not the name of a blob`);
}

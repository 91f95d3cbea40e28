import { createHash } from "node:crypto";
import { HttpError } from "../http/http-error.ts";
import type { StoredBlob } from "./blob-store.ts";

/** Passes a body on while it is counted and hashed. */
export interface Measured {
  chunks: AsyncIterable<Uint8Array>;
  /** Read it when the chunks have ended. */
  stored(): StoredBlob;
}

/**
 * A body that stops at its cap.
 *
 * @throws HttpError `too_large` from the chunks
 */
export function measured(body: AsyncIterable<Uint8Array>, maxBytes: number): Measured {
  const hash = createHash("sha256");
  let bytes = 0;
  async function* chunks() {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) {
        throw new HttpError(
          "too_large",
          `The body has more than the ${maxBytes} bytes that may come. Send less of it.`,
        );
      }
      hash.update(chunk);
      yield chunk;
    }
  }
  return { chunks: chunks(), stored: () => ({ bytes, sha256: hash.copy().digest("hex") }) };
}

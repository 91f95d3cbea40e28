const LONE = /\p{Surrogate}/gu;

/**
 * What is parsed at a time: about a dozen rollouts. Their rows are still in the processor's cache when they are handed
 * on, and young when the collector looks; pieces of 1 MiB take 2 µs more a row, of 20.
 */
const CHUNK_BYTES = 2 ** 16;

export function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/**
 * The bytes of a text. Half a surrogate pair has no UTF-8 form and would silently become U+FFFD, so it is spelled as
 * the escape that JSON has for it; the reader finds and counts it there.
 */
export function bytesOf(source: string | Uint8Array): Uint8Array {
  if (typeof source !== "string") return source;
  return new TextEncoder().encode(source.replace(LONE, (half) => `\\u${half.charCodeAt(0).toString(16)}`));
}

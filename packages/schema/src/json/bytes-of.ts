const LONE = /\p{Surrogate}/gu;

/** Text in memory is read in pieces too, so that what lies between text and rows never exists for all rows at once. */
const CHUNK_BYTES = 2 ** 20;

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

const LONE = /\p{Surrogate}/gu;

/**
 * The bytes of a text. Half a surrogate pair has no UTF-8 form and would silently become U+FFFD, so it is spelled as
 * the escape that JSON has for it; the reader finds and counts it there.
 */
export function bytesOf(source: string | Uint8Array): Uint8Array {
  if (typeof source !== "string") return source;
  return new TextEncoder().encode(source.replace(LONE, (half) => `\\u${half.charCodeAt(0).toString(16)}`));
}

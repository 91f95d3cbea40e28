/**
 * 128 random bits as text. A browser has `crypto.randomUUID` only where it trusts the address, and a server of one's own
 * may be reached over plain http.
 */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

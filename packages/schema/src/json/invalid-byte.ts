/** Index of the first byte that belongs to no UTF-8 character. */
export function invalidByte(bytes: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  // The longest beginning that decodes; `stream` forgives a character that is only cut.
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, middle), { stream: true });
      low = middle;
    } catch {
      high = middle - 1;
    }
  }
  return low;
}

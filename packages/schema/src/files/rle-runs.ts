/**
 * Small whole numbers as Parquet packs them: runs of one number, and numbers of `width` bits side by side. What claims
 * more numbers than are asked for is cut there, so that a damaged length costs nothing.
 *
 * @param bytes From `start` up to `end`
 * @param width Bits of a number, 0 to 32
 * @param out Filled to its end
 * @throws Error when the bytes end before
 */
export function readRuns(
  bytes: Uint8Array,
  { start, end, width, out }: { start: number; end: number; width: number; out: Uint16Array | Uint32Array },
): void {
  if (width > 32 || end > bytes.length) throw new Error("a page breaks off in its runs");
  let at = start;
  const byte = (): number => {
    if (at >= end) throw new Error("a page breaks off in its runs");
    return bytes[at++]!;
  };
  for (let n = 0; width > 0 && n < out.length; ) {
    const head = varint(byte);
    const isPacked = head % 2 === 1;
    const count = Math.min(Math.floor(head / 2) * (isPacked ? 8 : 1), out.length - n);
    if (!isPacked) {
      let value = 0;
      for (let shift = 0; shift < width; shift += 8) value += byte() * 2 ** shift;
      out.fill(value, n, n + count);
    } else {
      // Some writers leave out the padding behind the last number.
      if (at + Math.ceil((count * width) / 8) > end) throw new Error("a page breaks off in its runs");
      for (let i = 0; i < count; i++) out[n + i] = packed(bytes, at, i * width, width);
      at += Math.floor(head / 2) * width;
    }
    n += count;
  }
}

/** The number at a bit, the lowest bit first. */
function packed(bytes: Uint8Array, start: number, bit: number, width: number): number {
  const at = start + Math.floor(bit / 8);
  const shift = bit % 8;
  // Past the end of the bytes there is undefined, which is 0 here.
  const low = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  if (shift + width <= 32) return width === 32 ? low >>> 0 : (low >>> shift) & (2 ** width - 1);
  return (((low >>> shift) + (bytes[at + 4] ?? 0) * 2 ** (32 - shift)) % 2 ** width) >>> 0;
}

function varint(byte: () => number): number {
  let value = 0;
  for (let shift = 0; shift <= 35; shift += 7) {
    const next = byte();
    value += (next & 0x7f) * 2 ** shift;
    if (next < 0x80) return value;
  }
  throw new Error("a number in a page is too long");
}

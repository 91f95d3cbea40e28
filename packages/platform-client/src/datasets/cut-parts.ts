const NEWLINE = 10;

/** One part of an upload: whole lines. */
export interface Part {
  /** From 1. */
  n: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Cuts lines into parts of about `size` bytes, each of whole lines; a line longer than that is a part of its own. The
 * same bytes are always cut at the same places, so that an upload that broke off finds its parts again. Memory holds
 * one part.
 */
export async function* cutParts(lines: Blob, size: number): AsyncGenerator<Part, void, undefined> {
  let from = 0;
  for (let n = 1; from < lines.size; n += 1) {
    const to = await endOfLine(lines, from, Math.min(from + size, lines.size));
    yield { n, bytes: new Uint8Array(await lines.slice(from, to).arrayBuffer()) };
    from = to;
  }
}

/** End of the last line that ends by `to`; of the first line after it when none does. */
async function endOfLine(lines: Blob, from: number, to: number): Promise<number> {
  if (to >= lines.size) return lines.size;
  for (let end = to; end > from; end -= Math.min(LOOK, end - from)) {
    const start = Math.max(from, end - LOOK);
    const at = new Uint8Array(await lines.slice(start, end).arrayBuffer()).lastIndexOf(NEWLINE);
    if (at >= 0) return start + at + 1;
  }
  for (let start = to; start < lines.size; start += LOOK) {
    const at = new Uint8Array(await lines.slice(start, start + LOOK).arrayBuffer()).indexOf(NEWLINE);
    if (at >= 0) return start + at + 1;
  }
  return lines.size;
}

/** Bytes that are looked through at a time: a row is seldom longer. */
const LOOK = 65_536;

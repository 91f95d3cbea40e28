import { open } from "node:fs/promises";

const NEWLINE = 0x0a;

/**
 * A file in blocks of about `blockBytes`, each cut behind a line end, so that every block can be read on its own. A line
 * that is longer makes a longer block. The bytes of a block are its own.
 */
export async function* lineBlocks(path: string | URL, blockBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const file = await open(path, "r");
  try {
    let rest: Buffer[] = [];
    let held = 0;
    const chunk = Buffer.allocUnsafe(Math.max(2 ** 16, Math.min(blockBytes, 2 ** 22)));
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) break;
      let from = 0;
      while (from < bytesRead) {
        // The first line end at which the block is large enough.
        const wanted = Math.max(from, from + blockBytes - held - 1);
        const end = wanted >= bytesRead ? -1 : chunk.subarray(0, bytesRead).indexOf(NEWLINE, wanted);
        const to = end < 0 ? bytesRead : end + 1;
        rest.push(Buffer.from(chunk.subarray(from, to)));
        held += to - from;
        from = to;
        if (end < 0) break;
        yield joined(rest, held);
        rest = [];
        held = 0;
      }
    }
    if (held > 0) yield joined(rest, held);
  } finally {
    await file.close();
  }
}

function joined(parts: readonly Buffer[], length: number): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    block.set(part, at);
    at += part.length;
  }
  return block;
}

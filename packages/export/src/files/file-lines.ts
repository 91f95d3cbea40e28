import { createReadStream } from "node:fs";
import { ExportError } from "../export-error.ts";

const LINE_BREAK = 0x0a;

/**
 * Lines of a file, cut at 0x0A alone; a last one without a line break is a line too.
 *
 * @param onChunk Told of every piece that is read
 * @throws ExportError `not_found`
 */
export async function* fileLines(
  path: string,
  onChunk: (chunk: Uint8Array) => void = () => {},
): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(path)) {
      onChunk(chunk as Buffer);
      let start = 0;
      for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, start)) {
        const piece: Buffer = chunk.subarray(start, end);
        yield rest.length === 0 ? piece : Buffer.concat([rest, piece]);
        rest = Buffer.alloc(0);
        start = end + 1;
      }
      if (start < chunk.length) rest = Buffer.concat([rest, chunk.subarray(start)]);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new ExportError("not_found", `${path} cannot be read (${code}).`, "Check the path.", { cause: error });
  }
  if (rest.length > 0) yield rest;
}

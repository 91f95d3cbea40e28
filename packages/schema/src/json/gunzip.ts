import { SchemaError } from "../schema-error.ts";

/**
 * Unpacks gzip in memory, in a browser and an edge worker too; bytes that are not packed are returned as they are.
 * Files are unpacked by `readRowFiles` while they are read.
 *
 * @throws SchemaError `bad_file` for gzip that breaks off or is damaged
 */
export async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new DecompressionStream("gzip");
  const writer = stream.writable.getWriter();
  // Both ends fail together; what went wrong is thrown by the reading one.
  const written = Promise.all([writer.write(bytes as Uint8Array<ArrayBuffer>), writer.close()]).catch(() => {});
  try {
    const unpacked = new Uint8Array(await new Response(stream.readable).arrayBuffer());
    await written;
    return unpacked;
  } catch (cause) {
    throw new SchemaError("bad_file", "The gzip breaks off or is damaged.", "Fetch or write it again.", { cause });
  }
}

import { JsonlReader, type ParsedJsonl, type ParseJsonlOptions } from "../json/parse-jsonl.ts";
import { byteChunks } from "./byte-chunks.ts";

/**
 * `parseJsonl` for a file, `-` for standard input; gzip is unpacked.
 *
 * @throws SchemaError `not_found` and what `parseJsonl` throws
 */
export async function readJsonl(path: string, options: Omit<ParseJsonlOptions, "file"> = {}): Promise<ParsedJsonl> {
  const reader = new JsonlReader({ ...options, file: path });
  for await (const chunk of byteChunks(path)) reader.push(chunk);
  reader.end();
  return reader.parsed();
}

import { type LoadSpecOptions, loadSpec, type Spec } from "../spec/load-spec.ts";
import { byteChunks } from "./byte-chunks.ts";

/**
 * `loadSpec` for a JSON file, `-` for standard input.
 *
 * @throws SchemaError `not_found` and what `loadSpec` throws
 */
export async function readSpec(path: string, options: Omit<LoadSpecOptions, "file"> = {}): Promise<Spec> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of byteChunks(path)) text += decoder.decode(chunk, { stream: true });
  return loadSpec(text + decoder.decode(), { ...options, file: path });
}

import { writeFileAtomically } from "@while/schema/files";
import type { PlatformClient } from "../client.ts";

const NEWLINE = 10;

/**
 * Writes the rows of a set to a file as they were pushed, ending with a newline: whole or not at all.
 *
 * @returns Bytes written
 * @throws PlatformError as `pull`
 */
export function pullFile(client: PlatformClient, id: string, path: string): Promise<number> {
  return writeFileAtomically(path, async (file) => {
    let bytes = 0;
    let last = NEWLINE;
    for await (const chunk of client.pullBytes(id)) {
      await file.write(chunk);
      bytes += chunk.length;
      last = chunk.at(-1) ?? last;
    }
    if (last === NEWLINE) return bytes;
    await file.write("\n");
    return bytes + 1;
  });
}

import { ExportError } from "../export-error.ts";
import { fileSha256 } from "./file-sha256.ts";
import type { Manifest } from "./manifest.ts";

/** The files that are read, as they are now. */
export async function hashedSources(files: readonly string[]): Promise<Manifest["sources"]> {
  const sources: Manifest["sources"] = [];
  for (const path of files) sources.push({ path, sha256: await fileSha256(path) });
  return sources;
}

/** Groups and types hold for the rows of the first reading; a file that grew in between would be stamped wrongly. */
export async function refuseChanged(sources: Manifest["sources"]): Promise<void> {
  for (const { path, sha256 } of sources) {
    if ((await fileSha256(path)) === sha256) continue;
    throw new ExportError(
      "source_changed",
      `${path} changed while it was exported.`,
      "Export it when nothing writes to it.",
    );
  }
}

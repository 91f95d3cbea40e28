import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ExportError } from "../export-error.ts";

/**
 * Writes a folder that appears whole or not at all.
 *
 * @param files Texts by their path in the folder
 * @throws ExportError `source_overwrite` for one that exists
 */
export async function writeFolder(out: string, files: ReadonlyMap<string, string>): Promise<void> {
  const target = resolve(out);
  if (existsSync(target)) {
    throw new ExportError("source_overwrite", `${out} exists.`, "Name a folder that does not exist yet.");
  }
  await mkdir(dirname(target), { recursive: true });
  const temporary = await mkdtemp(join(dirname(target), `.${basename(target)}.`));
  try {
    for (const [name, text] of files) {
      await mkdir(dirname(join(temporary, name)), { recursive: true });
      await writeFile(join(temporary, name), text);
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ExportError } from "../export-error.ts";
import type { Source } from "../source.ts";
import { environmentFiles } from "./environment-files.ts";
import type { EnvironmentOptions } from "./environment-options.ts";
import type { EnvironmentReport } from "./environment-report.ts";

/**
 * Writes the files of an environment into a folder that appears whole or not at all.
 *
 * @param out A folder that does not exist yet
 * @throws ExportError as `environmentFiles` does, and `source_overwrite` for a folder that exists
 */
export async function exportEnvironment(
  source: Source,
  out: string,
  options: EnvironmentOptions,
): Promise<EnvironmentReport> {
  const { files, report } = environmentFiles(source, options);
  await writeFolder(out, files);
  return { ...report, path: out };
}

/** @throws ExportError `source_overwrite` */
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

import { writeFolder } from "../files/write-folder.ts";
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

import { writeFolder } from "../files/write-folder.ts";
import { type DatasetFolderOptions, type DatasetFolderReport, datasetFolderFiles } from "./dataset-folder-files.ts";

/**
 * Writes a dataset folder that appears whole or not at all: ready for a hub, and for `load_dataset` of a path.
 *
 * @param out A folder that does not exist yet
 * @throws ExportError `invalid_option`, `empty_export`, `source_overwrite`
 */
export async function writeDatasetFolder(out: string, options: DatasetFolderOptions): Promise<DatasetFolderReport> {
  const { files, report } = datasetFolderFiles(options);
  await writeFolder(out, files);
  return { ...report, path: out };
}

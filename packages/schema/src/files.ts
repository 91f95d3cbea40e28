// Rows from files
export { readRowFiles, streamRowFiles } from "./files/stream-row-files.ts";
export type { ReadFilesOptions, ReadProgress, ReadRowFiles, RowStream } from "./files/stream-row-files.ts";
export { rowPaths } from "./files/row-paths.ts";

// Rows to files
export { openRowWriter, writeJsonl } from "./files/row-writer.ts";
export type { RowWriter, WriteReport } from "./files/row-writer.ts";
export { writeParquet } from "./files/write-parquet.ts";
export type { WriteParquetOptions } from "./files/write-parquet.ts";
export { saveRun } from "./files/save-run.ts";
export { metaOf, readSidecar, sidecarPath, writeSidecar } from "./files/sidecar.ts";
export type { Meta } from "./files/sidecar.ts";

// Files of objects that are no rows, and tables
export { readLabels } from "./files/read-labels.ts";
export { readSpec } from "./files/read-spec.ts";
export { readJsonl } from "./files/read-jsonl.ts";
export { readCsv, writeCsv } from "./files/csv.ts";
export type { ReadCsv, ReadCsvOptions, WriteCsvOptions } from "./files/csv.ts";

// Any file, whole or not at all
export { openFileAtomically, writeFileAtomically } from "./files/write-file-atomically.ts";
export type { AtomicFile, OpenFile } from "./files/write-file-atomically.ts";

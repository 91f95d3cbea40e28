// A file that a trainer reads; `exportTraining` is the older name of the same function
export { exportDataset, exportDataset as exportTraining } from "./files/export-dataset.ts";
export type { DatasetSource, ExportDatasetOptions } from "./files/export-dataset.ts";

// Pairs, for preference trainers
export { exportPreference } from "./files/export-preference.ts";
export type { ExportPreferenceOptions } from "./files/export-preference.ts";

// Is it still that file?
export { checkExport, formatExportCheck } from "./files/check-export.ts";
export type { BadExportLine, ExportCheck } from "./files/check-export.ts";
export { manifestPath } from "./files/manifest.ts";
export type { Manifest } from "./files/manifest.ts";

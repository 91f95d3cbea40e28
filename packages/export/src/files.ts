// A file that a trainer reads; `exportTraining` is the older name of the same function
export { exportDataset, exportDataset as exportTraining } from "./files/export-dataset.ts";
export type { ExportDatasetOptions } from "./files/export-dataset.ts";
export type { DatasetSource } from "./files/dataset-source.ts";

// Pairs, for preference trainers
export { exportPreference } from "./files/export-preference.ts";
export type { ExportPreferenceOptions } from "./files/export-preference.ts";
export { exportRewardModel } from "./files/export-reward-model.ts";
export type { ExportRewardModelOptions } from "./files/export-reward-model.ts";
export type { PairFileOptions } from "./files/export-pairs.ts";

// Judged replies, for KTO
export { exportKto } from "./files/export-kto.ts";
export type { ExportKtoOptions } from "./files/export-kto.ts";

// Tasks, for grouped RL
export { exportGrpo } from "./files/export-grpo.ts";
export type { ExportGrpoOptions } from "./files/export-grpo.ts";

// Is it still that file?
export { checkExport, formatExportCheck } from "./files/check-export.ts";
export type { BadExportLine, ExportCheck } from "./files/check-export.ts";
export { checkRowsFor, formatRowsCheck } from "./files/check-rows.ts";
export type { RowsCheck } from "./files/check-rows.ts";
export { manifestPath } from "./files/manifest.ts";
export type { Manifest } from "./files/manifest.ts";

// Environments for grouped RL
export { exportEnvironment } from "./environment/export-environment.ts";
export { serveEnvironment } from "./environment/serve-environment.ts";
export type { ServedEnvironment, ServeOptions } from "./environment/serve-environment.ts";

// A dataset folder with its card
export { writeDatasetFolder } from "./dataset-folder/write-dataset-folder.ts";

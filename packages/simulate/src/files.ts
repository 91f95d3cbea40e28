// A run that survives its process
export { runDirectory } from "./run-dir/run-directory.ts";
export type { RunDirectoryOptions } from "./run-dir/run-directory.ts";
export type { Durability } from "./run-dir/append-file.ts";

// Answers of models, kept
export { completionCache } from "./completion-cache/completion-cache.ts";
export type { CompletionCacheOptions } from "./completion-cache/completion-cache.ts";

// Spans in a file
export { otlpFile } from "./otlp-file/otlp-file.ts";
export type { OtlpFile, OtlpFileOptions } from "./otlp-file/otlp-file.ts";

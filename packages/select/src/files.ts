// From a file to a file
export { optimizeFile, optimizeForRlFile } from "./optimize-file.ts";
export type { FileSelection, OptimizeFileOptions, Written } from "./optimize-file.ts";

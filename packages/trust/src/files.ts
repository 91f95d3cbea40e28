// Contamination, from file to file
export { decontaminateFile, readEvalRows } from "./contamination/decontaminate-file.ts";
export type { DecontaminateFileOptions } from "./contamination/decontaminate-file.ts";
// Verdicts that outlive the process
export { openVerdictLog } from "./judge/verdict-log.ts";
export type { VerdictLog } from "./judge/verdict-log.ts";

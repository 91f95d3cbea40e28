// Contamination, from file to file
export { decontaminateFile, isRowLines, readEvalRows } from "./contamination/decontaminate-file.ts";
export type { DecontaminateFileOptions } from "./contamination/decontaminate-file.ts";
export { loadEvalIndex, saveEvalIndex } from "./contamination/eval-index-file.ts";
// Verdicts that outlive the process
export { openVerdictLog } from "./judge/verdict-log.ts";
export type { VerdictLog } from "./judge/verdict-log.ts";

// Programs that are graded by running them
export { codeExec } from "./verifiers/code-exec.ts";
export type { CodeExecOptions } from "./verifiers/code-exec.ts";
export type { ProgramLanguage } from "./verifiers/program/run-tests.ts";
export { PROGRAM_VERIFIERS } from "./verifiers/program-verifiers.ts";

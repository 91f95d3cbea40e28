// Verdicts that outlive the process
export { openVerdictLog } from "./judge/verdict-log.ts";
export type { VerdictLog } from "./judge/verdict-log.ts";

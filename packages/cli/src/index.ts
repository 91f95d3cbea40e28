// The command line as a function
export { main } from "./main.ts";
export { EXIT } from "./exit-code.ts";
export type { ExitCode } from "./exit-code.ts";
export type { Io, Sink } from "./io/io.ts";

// Errors
export { CliError } from "./cli-error.ts";
export type { CliErrorCode } from "./cli-error.ts";

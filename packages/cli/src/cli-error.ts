import { WhileError } from "@while/schema";

export type CliErrorCode =
  | "unknown_verb"
  | "unknown_flag"
  | "bad_flag"
  | "bad_arguments"
  | "same_file"
  | "no_key"
  | "directory_exists"
  | "bad_module";

/** What the command line itself refuses: a verb, a flag, an output that would destroy its input. */
export class CliError extends WhileError<CliErrorCode> {}

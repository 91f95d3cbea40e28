import { WhileError } from "@while/schema";

export type SelectErrorCode = "bad_option" | "bad_band" | "unknown_mode" | "unknown_rule" | "no_output";

/** Everything this package refuses. */
export class SelectError extends WhileError<SelectErrorCode> {}

import { WhileError } from "@while/schema";

export type SimulateErrorCode = "bad_option";

/** Everything this package refuses. */
export class SimulateError extends WhileError<SimulateErrorCode> {}

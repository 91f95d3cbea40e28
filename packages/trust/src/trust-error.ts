import { WhileError } from "@while/schema";

export type TrustErrorCode = "bad_option";

/** Everything this package refuses. */
export class TrustError extends WhileError<TrustErrorCode> {}

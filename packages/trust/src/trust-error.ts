import { WhileError } from "@while/schema";

export type TrustErrorCode = "bad_option" | "judge_not_trusted";

/** Everything this package refuses. */
export class TrustError extends WhileError<TrustErrorCode> {}

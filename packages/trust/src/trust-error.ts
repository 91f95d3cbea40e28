import { WhileError } from "@while/schema";

export type TrustErrorCode = "bad_file" | "bad_option" | "judge_not_trusted" | "no_judge" | "no_version";

/** Everything this package refuses. */
export class TrustError extends WhileError<TrustErrorCode> {}

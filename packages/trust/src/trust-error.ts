import { WhileError } from "@while/schema";

export type TrustErrorCode =
  | "bad_file"
  | "bad_index"
  | "bad_labels"
  | "bad_option"
  | "bad_pairs"
  | "bad_rubric"
  | "bad_row"
  | "bad_source"
  | "bad_vectors"
  | "cannot_verify"
  | "judge_not_trusted"
  | "no_judge"
  | "no_logprobs"
  | "no_rows"
  | "no_version";

/** Everything this package refuses. */
export class TrustError extends WhileError<TrustErrorCode> {}

import { WhileError } from "@while/schema";

export type SelectErrorCode =
  | "bad_option"
  | "bad_band"
  | "unknown_mode"
  | "unknown_rule"
  | "no_output"
  | "bad_sample"
  // Of publishGate.
  | "privileged_leak"
  | "ungraded_rl_rows"
  | "no_mixed_groups"
  | "reward_hack";

/** Everything this package refuses. */
export class SelectError extends WhileError<SelectErrorCode> {}

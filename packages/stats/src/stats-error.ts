import { WhileError } from "@while/schema";

export type StatsErrorCode =
  | "bad_count"
  | "bad_effect"
  | "bad_k"
  | "bad_level"
  | "bad_metric"
  | "bad_option"
  | "bad_rows"
  | "bad_probability"
  | "bad_seed"
  | "bad_value"
  | "no_convergence"
  | "no_rows"
  | "no_task_key"
  | "not_shuffled"
  | "off_lattice"
  | "too_few_tasks";

/** Everything this package refuses. */
export class StatsError extends WhileError<StatsErrorCode> {}

import { WhileError } from "@while/schema";

export type SimulateErrorCode =
  | "bad_option"
  | "bad_agent"
  | "bad_tools"
  | "bad_dimensions"
  | "bad_tasks"
  | "bad_model"
  | "bad_endpoint"
  | "no_key"
  // Why a rollout broke; an agent, a world or a model throws them, and the engine reads them
  | "infrastructure"
  | "context_overflow"
  | "task_failed"
  // Why a run cannot go on
  | "agent_auth_failed"
  | "agent_quota_exceeded"
  | "endpoint_refused"
  | "endpoint_unreachable"
  | "writer_auth_failed"
  | "writer_quota_exceeded"
  | "writer_failed"
  // A run directory
  | "bad_run_directory"
  | "run_differs"
  | "run_locked"
  // The sweep
  | "sweep_refused"
  | "bad_grid";

/** Everything this package refuses, and every way in which a rollout can break that the engine tells apart. */
export class SimulateError extends WhileError<SimulateErrorCode> {}

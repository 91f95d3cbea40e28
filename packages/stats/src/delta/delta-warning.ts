import type { CompareWarningCode } from "../compare/compare-warnings.ts";
import type { Warning } from "../warning.ts";

export type DeltaWarningCode =
  | CompareWarningCode
  | "not_comparable"
  | "setting_differs"
  | "setting_mixed"
  | "same_policy"
  | "truncated_shares"
  | "graded_share"
  | "answered_share"
  | "own_model"
  | "regression"
  | "slipped"
  | "guard_degenerate"
  | "guard_not_measured"
  | "guard_not_proven"
  | "target_is_guard"
  | "target_not_measured"
  | "undeclared_direction"
  | "gold_fell"
  | "judge_errs_by_side"
  | "over_optimized"
  | "proxy_not_measured"
  | "proxy_is_target"
  | "unreplicated"
  | "unresolved"
  | "rough_floor"
  | "exact_floor"
  | "no_replicate_floor"
  | "deterministic_rerun"
  | "within_eval_noise"
  | "family_error"
  | "ceiling"
  | "underpowered"
  | "unequal_k"
  | "balanced"
  | "group_down"
  | "groups_differ"
  | "no_groups";

export type DeltaWarning = Warning<DeltaWarningCode>;

import { SchemaError } from "./schema-error.ts";

/**
 * How the camelCase fields of a report are spelled in files, in `--json` and over HTTP. A table and not a
 * converter: `passAt1` is `pass_at_1`, and a new field has to be given its spelling on purpose.
 * Names without a capital letter are the same on both sides and are not listed.
 */
const WIRE_KEYS: ReadonlyMap<string, string> = new Map([
  // @while/schema
  ["nRows", "n_rows"],
  ["nChecked", "n_checked"],
  ["nLeaked", "n_leaked"],
  ["looksExported", "looks_exported"],
  ["minLen", "min_len"],
  ["scenarioId", "scenario_id"],
  ["rolloutIndex", "rollout_index"],
  ["nWithoutKey", "n_without_key"],
  ["nAssigned", "n_assigned"],
  ["nRenamed", "n_renamed"],
  ["taskId", "task_id"],
  ["passRate", "pass_rate"],
  ["meanKl", "mean_kl"],
  ["passRateCi95", "pass_rate_ci95"],
  ["promptHash", "prompt_hash"],
  // @while/stats
  ["passAt1", "pass_at_1"],
  ["ciMethod", "ci_method"],
  ["passPowK", "pass_pow_k"],
  ["passPowKCi95", "pass_pow_k_ci95"],
  ["passPowKCiMethod", "pass_pow_k_ci_method"],
  ["passAtK", "pass_at_k"],
  ["passAtKCi95", "pass_at_k_ci95"],
  ["passAtKCiMethod", "pass_at_k_ci_method"],
  ["nGroups", "n_groups"],
  ["nGroupsAtK", "n_groups_at_k"],
  ["nGroupsImputed", "n_groups_imputed"],
  ["nRowsTotal", "n_rows_total"],
  ["nTasksTotal", "n_tasks_total"],
  ["nPartial", "n_partial"],
  ["nLost", "n_lost"],
  ["passAt1UngradedAsFail", "pass_at_1_ungraded_as_fail"],
  ["nRepeated", "n_repeated"],
  ["perTask", "per_task"],
  ["maxTokens", "max_tokens"],
  ["policyVersion", "policy_version"],
  ["judgeVersion", "judge_version"],
  ["userModel", "user_model"],
  ["writerModel", "writer_model"],
  ["truncatedShare", "truncated_share"],
  ["answeredShare", "answered_share"],
  ["gradedShare", "graded_share"],
  ["unclosedThinkShare", "unclosed_think_share"],
  ["nWithoutGroup", "n_without_group"],
  ["nSingle", "n_single"],
  ["nMixed", "n_mixed"],
  ["nAllZero", "n_all_zero"],
  ["nAllOne", "n_all_one"],
  ["nInBand", "n_in_band"],
  ["mixedRate", "mixed_rate"],
  ["nRowsAt1", "n_rows_at_1"],
  ["nRowsAt0", "n_rows_at_0"],
  ["nNonFinite", "n_non_finite"],
  ["withReply", "with_reply"],
  // @while/select
  ["nTasks", "n_tasks"],
  ["nSelected", "n_selected"],
  ["groupsSelected", "groups_selected"],
  ["droppedTasks", "dropped_tasks"],
  ["rowsDropped", "rows_dropped"],
  ["droppedSolved", "dropped_solved"],
  ["droppedUnsolved", "dropped_unsolved"],
  ["fromPolicy", "from_policy"],
  ["promptSetSha", "prompt_set_sha"],
  ["privilegedLeaksDropped", "privileged_leaks_dropped"],
  ["nDropped", "n_dropped"],
  ["nNotRows", "n_not_rows"],
  ["textGates", "text_gates"],
  ["keptVerifiedZero", "kept_verified_zero"],
  ["nAfterGates", "n_after_gates"],
  ["nKept", "n_kept"],
  ["groupsAffected", "groups_affected"],
  ["duplicateRate", "duplicate_rate"],
  ["conflictingRewards", "conflicting_rewards"],
  ["truncatedPolicy", "truncated_policy"],
  ["truncatedDropped", "truncated_dropped"],
  ["truncatedKept", "truncated_kept"],
  ["truncatedPenalized", "truncated_penalized"],
  ["truncatedSelected", "truncated_selected"],
  ["emptiedGroupsDropped", "emptied_groups_dropped"],
  ["unanimousGroupsDropped", "unanimous_groups_dropped"],
  ["collapsedGroupsDropped", "collapsed_groups_dropped"],
  ["shapedGroupsDropped", "shaped_groups_dropped"],
  ["bandFrom", "band_from"],
  ["enforceBand", "enforce_band"],
  ["bandGroupsDropped", "band_groups_dropped"],
  ["bandDropped", "band_dropped"],
  ["tooEasy", "too_easy"],
  ["tooHard", "too_hard"],
  ["bandMovedByDrops", "band_moved_by_drops"],
  ["nAfterTrim", "n_after_trim"],
  ["maxRows", "max_rows"],
  ["groupsOverMaxRows", "groups_over_max_rows"],
  ["groupsOverTarget", "groups_over_target"],
  ["faultKinds", "fault_kinds"],
  ["passThreshold", "pass_threshold"],
  ["singleGroupsSelected", "single_groups_selected"],
  ["medianChars", "median_chars"],
  ["maxChars", "max_chars"],
  ["nTruncated", "n_truncated"],
  ["nGroupsMulti", "n_groups_multi"],
  ["nGroupsWideSpread", "n_groups_wide_spread"],
  ["maxSpread", "max_spread"],
  ["nGraded", "n_graded"],
  ["notRead", "not_read"],
  ["hackScan", "hack_scan"],
  ["hackScanReason", "hack_scan_reason"],
  ["nStamped", "n_stamped"],
  ["nCarried", "n_carried"],
  ["nUnstamped", "n_unstamped"],
  ["evalSourcedInput", "eval_sourced_input"],
  ["fnRate", "fn_rate"],
  ["fnCi95", "fn_ci95"],
  ["hygieneWarnings", "hygiene_warnings"],
  ["nNotPass", "n_not_pass"],
  ["nJunk", "n_junk"],
  ["nEligible", "n_eligible"],
  ["uniqueBehaviors", "unique_behaviors"],
  ["behaviorsCovered", "behaviors_covered"],
  ["groupBy", "group_by"],
  ["minReward", "min_reward"],
  ["rewardMeanEligible", "reward_mean_eligible"],
  ["rewardMeanSelected", "reward_mean_selected"],
  ["rewardSpreadPassing", "reward_spread_passing"],
  ["completionsPerPromptMax", "completions_per_prompt_max"],
  ["completionsPerPromptMean", "completions_per_prompt_mean"],
  ["completionsPerPromptMedian", "completions_per_prompt_median"],
  ["promptsWithOneCompletion", "prompts_with_one_completion"],
  ["selectionEffective", "selection_effective"],
  ["nPriorTasks", "n_prior_tasks"],
  ["passRates", "pass_rates"],
  ["nPrompts", "n_prompts"],
  ["nPairs", "n_pairs"],
  ["nPromptsInvolved", "n_prompts_involved"],
  ["nGroupsDropped", "n_groups_dropped"],
  ["fromRates", "from_rates"],
  ["passAt", "pass_at"],
  // @while/export
  ["rowsIn", "rows_in"],
  ["nWritten", "n_written"],
  ["withSystem", "with_system"],
  ["withTools", "with_tools"],
  ["toolCallRoundtrip", "tool_call_roundtrip"],
  ["checkedFor", "checked_for"],
  ["invalidCalls", "invalid_calls"],
  ["schemaMismatch", "schema_mismatch"],
  ["schemaMismatches", "schema_mismatches"],
  ["maskMode", "mask_mode"],
  ["trlVersion", "trl_version"],
  ["maxToolOutputChars", "max_tool_output_chars"],
  ["toolOutputTruncated", "tool_output_truncated"],
  ["toolOutputCharsCut", "tool_output_chars_cut"],
  ["trainedMessages", "trained_messages"],
  ["maskedMessages", "masked_messages"],
  ["privilegedLeaks", "privileged_leaks"],
  ["nPass", "n_pass"],
  ["nFail", "n_fail"],
  ["nUngraded", "n_ungraded"],
  ["noCompletionDropped", "no_completion_dropped"],
  ["trailingMessagesDropped", "trailing_messages_dropped"],
  ["argumentTypes", "argument_types"],
  ["systemReplaced", "system_replaced"],
  ["systemPromptUnresolved", "system_prompt_unresolved"],
  ["systemPromptMismatch", "system_prompt_mismatch"],
  ["contentPartsDropped", "content_parts_dropped"],
  ["messageFieldsDropped", "message_fields_dropped"],
  ["notCarried", "not_carried"],
  ["blockedNamesKept", "blocked_names_kept"],
  ["orphanToolMessages", "orphan_tool_messages"],
  ["unansweredCalls", "unanswered_calls"],
  ["emptyAssistantTurns", "empty_assistant_turns"],
  ["thinkRemoved", "think_removed"],
  ["thinkUnclosed", "think_unclosed"],
  ["rewardNotNumeric", "reward_not_numeric"],
  ["unsafeIntegers", "unsafe_integers"],
  ["loneSurrogates", "lone_surrogates"],
  ["loneSurrogateRows", "lone_surrogate_rows"],
  ["evalSourced", "eval_sourced"],
  ["finishLength", "finish_length"],
  ["unrollMessageFactor", "unroll_message_factor"],
  ["turnsHeldOut", "turns_held_out"],
  ["manifestPath", "manifest_path"],
  ["badLines", "bad_lines"],
  ["nBadLines", "n_bad_lines"],
  // @while/cli
]);

/**
 * The wire form of a plain-data report: keys by the table, Maps as objects (their keys are the user's and stay),
 * intervals as two-element arrays, absent as null.
 *
 * @throws SchemaError `unlisted_key` for a field the table does not know, `not_finite` for a NaN or an infinity
 */
export function toWire(report: unknown): unknown {
  if (typeof report === "number") {
    if (!Number.isFinite(report)) {
      throw new SchemaError(
        "not_finite",
        `A report holds the number ${report}.`,
        "Write null with a reason beside it.",
      );
    }
    return report;
  }
  if (report === undefined) return null;
  if (report === null || typeof report !== "object") return report;
  if (Array.isArray(report) || ArrayBuffer.isView(report)) return Array.from(report as ArrayLike<unknown>, toWire);
  if (report instanceof Map) return Object.fromEntries(Array.from(report, ([key, value]) => [key, toWire(value)]));
  return Object.fromEntries(
    Object.entries(report)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [wireKey(key), toWire(value)]),
  );
}

function wireKey(key: string): string {
  if (!/[A-Z]/.test(key)) return key;
  const wire = WIRE_KEYS.get(key);
  if (wire === undefined) {
    throw new SchemaError("unlisted_key", `The report field ${key} has no wire spelling.`, "Add it to WIRE_KEYS.");
  }
  return wire;
}

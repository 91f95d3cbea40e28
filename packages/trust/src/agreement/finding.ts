/** What a report on a judge can find, in the order in which it says it. */
export type JudgeFindingCode =
  | "coarse_sample"
  | "leak"
  | "leak_unsure"
  | "untrusted_gold"
  | "untrusted_left_out"
  | "tuned_left_out"
  | "unknown_split"
  | "foreign_reward"
  | "unverified_reward"
  | "mixed_versions"
  | "skipped_over_floor"
  | "skipped_some"
  | "unjudged"
  | "one_class"
  | "uneven_labels"
  | "agreement_low"
  | "agreement_clustered"
  | "kappa_low"
  | "kappa_unsure"
  | "few_per_class"
  | "tpr_low"
  | "tnr_low"
  | "kappa_skewed"
  | "halves_gap"
  | "length_bias"
  | "length_pooled"
  | "contradiction"
  | "no_answer"
  | "inconsistent"
  | "filler"
  | "fragile"
  | "exploitable"
  | "low_power"
  | "unmeasured";

/**
 * `fail`: the judge is not to be trained on. `open`: these labels cannot tell. `warn` and `note` are for the reader; a
 * note says what another rule would make of it.
 */
export type JudgeSeverity = "fail" | "open" | "warn" | "note";

export interface JudgeFinding {
  code: JudgeFindingCode;
  severity: JudgeSeverity;
  message: string;
  /** The numbers of the message, to branch on. */
  data: Readonly<Record<string, number | string | boolean | null>>;
}

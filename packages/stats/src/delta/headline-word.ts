import type { TargetVerdict } from "./delta-verdict.ts";

/** Why the gate does not hold, beside the causes that make two runs not comparable. */
export type DeltaFailure =
  | "regression"
  | "target_fell"
  | "gold_fell"
  | "over_optimized"
  | "guard_not_proven"
  | "guard_not_measured"
  | "target_not_measured"
  | "not_comparable";

export interface HeadlineInput {
  ok: boolean;
  headlineVerdict: TargetVerdict;
  notComparable: readonly string[];
  /** Reasons for `ok` being false; without them any reason is a failure. */
  failures?: readonly DeltaFailure[];
  /** What a gain is called that no re-run was held against. */
  unreplicatedAs?: "pass" | "inconclusive";
}

const WORDS: Readonly<Record<TargetVerdict, string>> = {
  moved: "PASS",
  moved_unreplicated: "PASS",
  within_eval_noise: "NO DIFFERENCE",
  no_change_detected: "NO DIFFERENCE",
  moved_the_wrong_way: "FAIL",
  insufficient_data: "INSUFFICIENT DATA",
  target_not_measured: "TARGET NOT MEASURED",
  unresolved: "UNRESOLVED",
};

/** What was not measured has not failed: nobody knows. */
const UNKNOWN: readonly DeltaFailure[] = ["guard_not_measured", "target_not_measured"];

/**
 * The verdict in a word: NOT COMPARABLE with its causes before everything else, FAIL for a gate that does not hold, then
 * the headline metric's own. A gate that only lacks a measurement says which: TARGET or GUARDS NOT MEASURED.
 */
export function headlineWord({
  ok,
  headlineVerdict,
  notComparable,
  failures = [],
  unreplicatedAs = "pass",
}: HeadlineInput): string {
  if (notComparable.length > 0) return `NOT COMPARABLE (${notComparable.join(", ")})`;
  const isUnknown = failures.length > 0 && failures.every((failure) => UNKNOWN.includes(failure));
  if (!ok && !isUnknown) return "FAIL";
  const word =
    headlineVerdict === "moved_unreplicated" && unreplicatedAs === "inconclusive"
      ? "INCONCLUSIVE"
      : WORDS[headlineVerdict];
  return isUnknown && ["PASS", "INCONCLUSIVE", "UNRESOLVED", "NO DIFFERENCE"].includes(word)
    ? "GUARDS NOT MEASURED"
    : word;
}

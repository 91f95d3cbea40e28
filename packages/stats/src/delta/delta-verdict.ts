import type { CompareVerdict } from "../compare/compare-verdict.ts";

/**
 * What happened to one metric. `moved_unreplicated`: the tasks say it moved, and no re-run says how much it moves by
 * itself. `within_eval_noise`: it moved less than re-runs of one agent do. `no_change_detected` is no claim of equality.
 */
export type DeltaVerdict =
  | "moved"
  | "moved_unreplicated"
  | "moved_the_wrong_way"
  | "within_eval_noise"
  | "no_change_detected"
  | "insufficient_data";

/** Also of a target that a side does not carry, and of a gain that training again may not give. */
export type TargetVerdict = DeltaVerdict | "target_not_measured" | "unresolved";

/** What the tasks alone say. */
export type TaskVerdict = "moved" | "moved_the_wrong_way" | "no_change_detected" | "insufficient_data";

const WORDS: Readonly<Record<CompareVerdict, TaskVerdict>> = {
  b_better: "moved",
  a_better: "moved_the_wrong_way",
  no_difference_detected: "no_change_detected",
  insufficient_data: "insufficient_data",
};

/** The word without regard to re-runs. */
export function wordOfTasks(gainVerdict: CompareVerdict): TaskVerdict {
  return WORDS[gainVerdict];
}

export function deltaVerdict(
  gainVerdict: CompareVerdict,
  { withinNoise, replicated }: { withinNoise: boolean; replicated: boolean },
): DeltaVerdict {
  const word = wordOfTasks(gainVerdict);
  if (word !== "moved" && word !== "moved_the_wrong_way") return word;
  if (withinNoise) return "within_eval_noise";
  return word === "moved" && !replicated ? "moved_unreplicated" : word;
}

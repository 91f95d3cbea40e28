import { formatFixed } from "@while/schema";
import type { SftGrouping } from "./sft-options.ts";

/** Completions a prompt from which rejection sampling has something to choose; Llama 3 samples 10 to 30. */
export const REJECTION_SAMPLING_MIN_K = 10;

/** How many completions the prompts have, all rows counted. */
export interface CompletionCounts {
  nPrompts: number;
  max: number;
  /** The upper one of the middle two. */
  median: number;
  mean: number | null;
  nSingle: number;
  groupBy: SftGrouping;
}

/** What the choice was worth: too few completions to choose among, or rewards that do not differ. */
export function sftNote(
  counts: CompletionCounts,
  { byTask, passingRewards }: { byTask: CompletionCounts; passingRewards: readonly number[] },
): string | null {
  const notes: string[] = [];
  if (counts.mean !== null && counts.mean < REJECTION_SAMPLING_MIN_K) notes.push(fewCompletions(counts));
  if (counts.groupBy === "prompt" && byTask.median > counts.median) {
    notes.push(
      `Tasks have ${formatFixed(byTask.mean, 2)} completions, in several wordings: groupBy task lets those compete.`,
    );
  }
  if (passingRewards.length > 0 && passingRewards.every((reward) => reward === passingRewards[0])) {
    notes.push(
      `The passing rows all have the reward ${passingRewards[0]} (n = ${passingRewards.length}), so top_per_prompt and ` +
        "random_per_prompt are the same draw. The control that says something is random_k_overall at minReward 0 " +
        "with as many rows.",
    );
  }
  return notes.length === 0 ? null : notes.join(" ");
}

function fewCompletions({ mean, median, max, nSingle, nPrompts, groupBy }: CompletionCounts): string {
  const note =
    `${formatFixed(mean, 2)} completions a ${groupBy} (median ${median}, most ${max}; ${nSingle} of ${nPrompts} ` +
    `${groupBy}s have one), where rejection sampling draws 10 to 30 (Llama 3, arXiv:2407.21783).`;
  if (median > 1) return note;
  return `${note} With one completion both per-prompt rules return the same rows, so the random control says nothing.`;
}

import type { RewardModelOptions } from "../preference/pair-lines.ts";
import type { PreferenceReport } from "../preference/preference-report.ts";
import type { PairSource } from "../preference/wire-pair.ts";
import { exportPairs, type PairFileOptions } from "./export-pairs.ts";

export interface ExportRewardModelOptions extends RewardModelOptions, PairFileOptions {}

/**
 * Writes pairs as the file that the trainer of a reward model reads: see `rewardModelLines`.
 *
 * @param pairs Pairs, or the path of a JSONL file of them; the rules and tools of its `.meta.json` are read along
 * @throws ExportError `source_overwrite` and what `rewardModelLines` throws; SchemaError for a file that is no JSONL
 */
export async function exportRewardModel(
  pairs: string | Iterable<PairSource>,
  options: ExportRewardModelOptions = {},
): Promise<PreferenceReport> {
  return await exportPairs("reward-model", pairs, options);
}

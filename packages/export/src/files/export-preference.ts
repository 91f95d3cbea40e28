import type { PreferenceOptions } from "../preference/pair-lines.ts";
import type { PreferenceReport } from "../preference/preference-report.ts";
import type { PairSource } from "../preference/wire-pair.ts";
import { exportPairs, type PairFileOptions } from "./export-pairs.ts";

export interface ExportPreferenceOptions extends PreferenceOptions, PairFileOptions {}

/**
 * Writes pairs as the file a preference trainer reads. Every pair is checked before anything is written, and the file
 * appears whole or not at all; without a pair there is no file.
 *
 * @param pairs Pairs, or the path of a JSONL file of them; the rules and tools of its `.meta.json` are read along
 * @throws ExportError `source_overwrite` and what `preferenceLines` throws; SchemaError for a file that is no JSONL
 */
export async function exportPreference(
  pairs: string | Iterable<PairSource>,
  options: ExportPreferenceOptions = {},
): Promise<PreferenceReport> {
  return await exportPairs("preference", pairs, options);
}

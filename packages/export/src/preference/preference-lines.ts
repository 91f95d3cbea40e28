import { type PairContext, type PreferenceOptions, pairLines, pairSettings } from "./pair-lines.ts";
import type { PreferenceReport } from "./preference-report.ts";
import type { PairSource } from "./wire-pair.ts";

/** The lines of a file of pairs, without their ends, and what `exportPreference` would say about it. */
export interface PreferenceLines {
  lines: string[];
  report: PreferenceReport;
}

/**
 * Pairs of replies as a preference trainer reads them: rules and tools put back in front of both sides, and for
 * trainers that score every token of a side, cut to the one turn in which the sides part.
 *
 * @throws ExportError `format_unknown`, `kind_unsupported`, `invalid_option`, `not_pairs`, `unknown_role`,
 * `schema_invalid`, `consumer_refused`, `tool_call_roundtrip_invalid`, `privileged_leak`, `no_preference_pairs`
 */
export function preferenceLines(
  pairs: Iterable<PairSource>,
  options: PreferenceOptions = {},
  context: PairContext = {},
): PreferenceLines {
  const { lines, report } = pairLines(pairs, pairSettings("preference", options, context), context);
  return { lines, report };
}

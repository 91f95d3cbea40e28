import { TrustError } from "../trust-error.ts";
import { type EvalIndex, indexRows } from "./eval-index.ts";
import { type Against, evalRows, isEvalIndex, SOURCE_NAMES, type SourceOptions } from "./eval-sources.ts";
import { type IndexOptions, type Settings, settingsOf } from "./options.ts";

/**
 * What an evaluation is found by, built once and used for any number of training sets. Its size is that of the
 * evaluation. `saveEvalIndex` of `@while/trust/files` keeps it.
 *
 * @throws TrustError `bad_option`, `bad_source`
 */
export async function buildEvalIndex(
  against: Exclude<Against, EvalIndex>,
  options: IndexOptions & SourceOptions = {},
): Promise<EvalIndex> {
  const settings = settingsOf(options, SOURCE_NAMES);
  const { rows, emptySources } = await evalRows(against, options);
  return indexRows(rows, settings, emptySources);
}

/** The index that is asked for: the one given, when it was built by the same rules, or a new one. */
export async function indexOf(against: Against, settings: Settings, options: SourceOptions): Promise<EvalIndex> {
  if (isEvalIndex(against)) return checkedIndex(against, settings);
  const { rows, emptySources } = await evalRows(against, options);
  return indexRows(rows, settings, emptySources);
}

/** @throws TrustError `bad_index` where the index was built by other rules */
export function checkedIndex(index: EvalIndex, settings: Settings): EvalIndex {
  for (const name of ["rules", "n", "shingles", "numbersAs"] as const) {
    if (index[name] === settings[name]) continue;
    throw new TrustError(
      "bad_index",
      `The index was built with ${name} ${String(index[name])}, and ${String(settings[name])} is asked for.`,
      "Build it again with buildEvalIndex, or pass the same options.",
    );
  }
  if ((index.code !== null) !== settings.code) {
    throw new TrustError(
      "bad_index",
      `The index was built with${settings.code ? "out" : ""} code, and it is asked for with${settings.code ? "" : "out"}.`,
      "Build it again with buildEvalIndex, or pass the same options.",
    );
  }
  return index;
}

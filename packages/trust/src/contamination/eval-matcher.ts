import type { Row } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import { indexOf } from "./build-eval-index.ts";
import { type Against, SOURCE_NAMES, type SourceOptions } from "./eval-sources.ts";
import type { DropRule } from "./finding.ts";
import { type DecontaminateOptions, settingsOf } from "./options.ts";
import { RowMatcher } from "./row-matcher.ts";

export type EvalMatcherOptions = Omit<DecontaminateOptions, "rowBackground" | "knownClean" | "related"> & SourceOptions;

/**
 * What an evaluation holds, as a question about one row: the rule of `decontaminate` that would drop it, or null. For
 * whoever reads rows anyway and leaves some out, as the exports of `@while/export` do (`against`).
 *
 * @throws TrustError as `decontaminate`, and `bad_source` for an evaluation without a row
 */
export async function evalMatcher(
  against: Against,
  options: EvalMatcherOptions = {},
): Promise<(row: Row) => DropRule | null> {
  // Rows that only read as reworded are kept, so nothing has to be learnt of them.
  const settings = settingsOf({ ...options, related: false }, SOURCE_NAMES);
  const index = await indexOf(against, settings, options);
  if (index.nRows === 0) {
    throw new TrustError(
      "bad_source",
      "The evaluation has no row: there is nothing to compare with.",
      "Give its rows, or leave the check out.",
    );
  }
  const matcher = new RowMatcher(index, settings);
  // Only rules that drop make a hit.
  return (row) => (matcher.match(row, 0).hit?.rule as DropRule | undefined) ?? null;
}

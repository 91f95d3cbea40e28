import type { RowsSummary } from "@while/platform-client/contract";
import { compareCodePoints } from "@while/schema";
import { type TagTable, valuesOf } from "./breakdown.ts";
import { isMeasure, numberBins } from "./numeric-bins.ts";

/**
 * Tags in the order of their first letters, each with what is read of it: its values, those with the most failures
 * first, or the stretches of a measure.
 */
export function tagTables(byTag: RowsSummary["byTag"], overall: number | null): TagTable[] {
  return Object.entries(byTag)
    .map(([key, counts]): TagTable => {
      if (!isMeasure(counts)) return { key, values: valuesOf(counts, overall) };
      const { bins, without } = numberBins(counts, overall);
      return { key, values: without === null ? bins : [...bins, without] };
    })
    .sort((a, b) => compareCodePoints(a.key, b.key));
}

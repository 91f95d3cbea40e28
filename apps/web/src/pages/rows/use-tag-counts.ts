import { getRowsSummary, type RowsSummary } from "@while/platform-client/contract";
import { useAnswer } from "../../api/use-answer.ts";
import { useChoices } from "../../use-search.ts";
import { queryOf, readFilters } from "./row-filters.ts";

/**
 * Counts of the values of one tag among the rows that all other filters leave, so that a second value can still be chosen. Passed and
 * failed rows both count. Undefined while they are read.
 */
export function useTagCounts(run: string, behavior: string, tag: string): RowsSummary["byTag"][string] | undefined {
  const [search] = useChoices();
  const query = queryOf({ ...readFilters(search), graded: "all" }, { without: tag });
  const { data } = useAnswer(getRowsSummary, { params: { id: run, behavior }, query });
  if (data === undefined) return undefined;
  return Object.hasOwn(data.byTag, tag) ? data.byTag[tag]! : {};
}

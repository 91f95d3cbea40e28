import { getRowsSummary } from "@while/platform-client/contract";
import { useAnswer } from "../../api/use-answer.ts";
import { useChoices } from "../../use-search.ts";
import { type ValueShare, valuesOf } from "./breakdown.ts";
import { queryOf, readFilters } from "./row-filters.ts";

/**
 * Values of one tag among the rows that all other filters leave, so that a second value can still be chosen. Passed and
 * failed rows both count. Undefined while they are read.
 */
export function useTagValues(
  run: string,
  behavior: string,
  tag: string,
  overall: number | null = null,
): ValueShare[] | undefined {
  const [search] = useChoices();
  const query = queryOf({ ...readFilters(search), graded: "all" }, { without: tag });
  const { data } = useAnswer(getRowsSummary, { params: { id: run, behavior }, query });
  if (data === undefined) return undefined;
  return Object.hasOwn(data.byTag, tag) ? valuesOf(data.byTag[tag]!, overall) : [];
}

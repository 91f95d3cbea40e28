import { getRows, type RowsQuery, type RowsSummary, type RunDetail } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Pager } from "../../parts/Pager.tsx";
import { Part } from "../../parts/Part.tsx";
import { countOf, textOf } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import { ListChoices } from "./ListChoices.tsx";
import { NoMatch } from "./NoMatch.tsx";
import { RowList } from "./RowList.tsx";
import { isFiltered, queryOf, readFilters } from "./row-filters.ts";
import { cursorOf, PAGE_ROWS, pageOf } from "./row-pages.ts";

export interface RowsPartProps {
  run: RunDetail;
  behavior: string;
  all: RowsSummary;
}

/** Each row that the filters leave, fifty a page. */
export function RowsPart({ run, behavior, all }: RowsPartProps): ReactNode {
  const [search, choose] = useChoices();
  const filters = readFilters(search);
  const place = textOf(search, "row") === undefined ? null : countOf(search, "row", 1);
  const page = place === null ? countOf(search, "page", 1) : pageOf(place);
  const query: RowsQuery = { ...queryOf(filters), limit: PAGE_ROWS, cursor: cursorOf(page), siblings: true };
  if (filters.byScore) query.sort = "score";
  const answer = useAnswer(getRows, { params: { id: run.id, behavior }, query });
  const go = (wanted: number): void =>
    choose({ row: undefined, page: wanted > 1 ? String(wanted) : undefined }, { keepPage: true });
  const title = { all: "Rows", passed: "Passed rows", failed: "Failed rows" }[filters.graded];
  return (
    <Part id="rows" title={title} full note={<ListChoices run={run} behavior={behavior} />}>
      <Answered of={answer} what="the rows">
        {(found) =>
          found.total === 0 && isFiltered(filters) ? (
            <NoMatch filters={filters} all={all} />
          ) : (
            <>
              <RowList
                run={run}
                behavior={behavior}
                rows={found.rows}
                places={found.places ?? null}
                siblings={found.siblings ?? null}
                total={found.total}
                page={page}
                // The last page stays while the next one comes: until then its rows are not at these places.
                stale={answer.isPlaceholderData}
                open={place}
              />
              <Pager page={page} size={PAGE_ROWS} total={found.total} what="rows" onPage={go} />
            </>
          )
        }
      </Answered>
    </Part>
  );
}

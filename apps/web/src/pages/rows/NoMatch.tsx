import type { RowsSummary } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { whole } from "../../numbers.ts";
import { ViewLink } from "../../parts/ViewLink.tsx";
import type { Search } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import { clausesOf } from "./filter-clauses.ts";
import { OTHER_ROWS, type RowFilters, withoutFilters } from "./row-filters.ts";

/** What the filters ask for when they leave nothing, how much each of them alone would, and the ways out. */
export function NoMatch({ filters, all }: { filters: RowFilters; all: RowsSummary }): ReactNode {
  const [search] = useChoices();
  const clauses = clausesOf(filters, all);
  const without = (names: readonly string[]): Search => ({
    ...search,
    ...Object.fromEntries(names.map((name) => [name, undefined])),
  });
  return (
    <div className="small untrusted">
      <p>
        No {filters.graded === "all" ? "" : `${filters.graded} `}row has{" "}
        {clauses.length === 0
          ? "that grade"
          : clauses.map((clause, index) => (
              <span key={clause.names[0]}>
                {index > 0 && " and "}
                <b>
                  <bdi>{clause.words}</bdi>
                </b>
                {clause.alone !== null && ` (${whole(clause.alone)} alone)`}
              </span>
            ))}
        .
      </p>
      <p className="choices">
        {clauses.length > 1 &&
          clauses.map(({ names, drop }) => (
            <ViewLink key={names[0]} search={() => without([...names, ...Object.keys(OTHER_ROWS)])}>
              Drop <bdi>{drop}</bdi>
            </ViewLink>
          ))}
        <ViewLink search={(before) => ({ ...before, ...withoutFilters(before) })}>Show all rows</ViewLink>
      </p>
    </div>
  );
}

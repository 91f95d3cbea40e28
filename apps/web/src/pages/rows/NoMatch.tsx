import type { RowsSummary } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { whole } from "../../numbers.ts";
import { ViewLink } from "../../parts/ViewLink.tsx";
import type { Search } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import { type RowFilters, withoutFilters } from "./row-filters.ts";

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
              <span key={clause.name}>
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
          clauses.map(({ name, drop }) => (
            <ViewLink key={name} search={() => without([name, "page", "row"])}>
              Drop <bdi>{drop}</bdi>
            </ViewLink>
          ))}
        <ViewLink search={(before) => ({ ...before, ...withoutFilters(before) })}>Show all rows</ViewLink>
      </p>
    </div>
  );
}

export interface Clause {
  /** Its key in the address. */
  name: string;
  words: string;
  drop: string;
  /** Rows of the chosen grade that this alone would leave; null where that is not counted. */
  alone: number | null;
}

/** The filters one by one, beside the grade. */
export function clausesOf({ graded, tags, find, cut }: RowFilters, all: RowsSummary): Clause[] {
  const clauses = Array.from(tags, ([key, values]): Clause => {
    const counts = Object.hasOwn(all.byTag, key) ? all.byTag[key]! : {};
    const alone = values.reduce((sum, value) => {
      const { n, passed } = Object.hasOwn(counts, value) ? counts[value]! : { n: 0, passed: 0 };
      return sum + (graded === "all" ? n : graded === "passed" ? passed : n - passed);
    }, 0);
    return { name: `tag.${key}`, words: `${key}: ${values.join(" or ")}`, drop: key, alone };
  });
  if (find !== "") clauses.push({ name: "q", words: `the words “${find}”`, drop: "the words", alone: null });
  if (cut) clauses.push({ name: "cut", words: "a text that was cut", drop: "cut rows only", alone: null });
  return clauses;
}

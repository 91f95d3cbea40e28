import type { RowsSummary, StoredScore } from "@while/platform-client/contract";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { whole } from "../../numbers.ts";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { Part } from "../../parts/Part.tsx";
import { ViewLink } from "../../parts/ViewLink.tsx";
import type { Search } from "../../search.ts";
import { useKeys } from "../../shell/keys.tsx";
import { useChoices } from "../../use-search.ts";
import { isMeasure, measureEnds } from "./numeric-bins.ts";
import { RangePick } from "./RangePick.tsx";
import { GRADED, isFiltered, OTHER_ROWS, okOf, readFilters, withoutFilters } from "./row-filters.ts";
import { postedAgainstRows } from "./rows-lead.ts";
import { TagPick } from "./TagPick.tsx";

export interface FilterPartProps {
  run: string;
  behavior: string;
  score: StoredScore | null;
  /** Counts of all rows. */
  all: RowsSummary;
  /** Counts of those that the filters leave, passed and failed; undefined while they are read. */
  left: RowsSummary | undefined;
  /** How many rows there will be, when the sender said so. */
  expected: number | null;
}

/** Which rows are looked at: every choice is a link, and stands in the address. */
export function FilterPart({ run, behavior, score, all, left, expected }: FilterPartProps): ReactNode {
  const [search, choose] = useChoices();
  const filters = readFilters(search);
  const posted = postedAgainstRows(score, all);
  const counts = left ?? all;
  const note =
    posted === null ? (
      "No score is posted beside these rows."
    ) : expected !== null && expected > all.n ? (
      `${posted.text} Not all of them are there yet.`
    ) : posted.apart ? (
      <p className="bad">
        <CheckMark state="warning" hidden /> {posted.text} They are more than a point apart: one of the two is of
        something else.
      </p>
    ) : (
      `${posted.text} A gap of more than a point would be said here.`
    );
  const numbers = { all: counts.n, passed: counts.passed, failed: counts.failed };
  return (
    <Part id="filter" title="Filter" full note={note}>
      <search className="rowfilters" aria-label="Filters of the rows">
        <nav className="choices" aria-label="By grade">
          {GRADED.map((graded) => (
            <ViewLink
              key={graded}
              search={
                ((before: Search) => ({
                  ...before,
                  ...OTHER_ROWS,
                  ok: okOf(graded),
                })) as never
              }
              current={filters.graded === graded}
            >
              {graded} {whole(numbers[graded])}
            </ViewLink>
          ))}
        </nav>
        {Object.entries(all.byTag).map(([key, counts]) =>
          isMeasure(counts) || filters.ranges.has(key) ? (
            <RangePick key={key} tag={key} ends={measureEnds(counts)} />
          ) : (
            <TagPick key={key} run={run} behavior={behavior} tag={key} />
          ),
        )}
        {all.scores != null && (all.scores.between > 0 || filters.score !== null) && (
          <RangePick tag={null} ends={all.scores} />
        )}
        <Find />
        <label className="nowrap">
          <input
            type="checkbox"
            checked={filters.cut}
            onChange={(event) => choose({ ...OTHER_ROWS, cut: event.target.checked ? "1" : undefined })}
          />{" "}
          cut rows only
        </label>
        {isFiltered(filters) && (
          <button type="button" className="plain" onClick={() => choose(withoutFilters(search))}>
            Show all rows
          </button>
        )}
      </search>
    </Part>
  );
}

/** Milliseconds without a key before what was typed is looked for. */
const PAUSE = 250;

/** Words in any text of a row. What is typed is looked for after a pause, and stands in the address then. */
function Find(): ReactNode {
  const [search, choose] = useChoices();
  const { find } = readFilters(search);
  const [typed, setTyped] = useState(find);
  const field = useRef<HTMLInputElement>(null);
  const last = useRef(find);
  useKeys([{ keys: "/", says: "find in the rows", run: () => field.current?.focus() }]);
  useEffect(() => {
    // Changed elsewhere: by a click on a reason, by Back, by taking all filters back.
    if (find !== last.current) setTyped(find);
    last.current = find;
  }, [find]);
  useEffect(() => {
    if (typed.trim() === last.current) return;
    const timer = setTimeout(() => {
      last.current = typed.trim();
      choose({ ...OTHER_ROWS, q: typed.trim() || undefined }, { replace: true });
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [typed, choose]);
  return (
    <label className="find">
      <span className="sr">Find in prompt, reply, why, reference and detail</span>
      <input
        ref={field}
        className="field"
        type="search"
        maxLength={400}
        placeholder="find in prompt, reply, why, reference, detail  /"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </label>
  );
}

import { type Dataset, getDatasetRows, profileDataset } from "@while/platform-client/contract";
import { type ReactNode, useMemo, useState } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { whole } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Part } from "../../parts/Part.tsx";
import { choiceOf, textOf } from "../../search.ts";
import { useChoices } from "../../use-search.ts";
import { RowView, type RowViewProps } from "./RowView.tsx";

/** Rows on one page of the viewer. */
const PAGE = 12;
const VIEWS = ["conversation", "json"] as const;

type RowObject = Record<string, unknown>;

/** Rows of the set: three at first, all of them page by page when asked for, as conversations or as they are stored. */
export function RowsPart({ set, sample }: { set: Dataset; sample: readonly RowObject[] }): ReactNode {
  const [search, choose] = useChoices();
  const view = choiceOf(search, "view", VIEWS);
  const all = textOf(search, "rows") === "all";
  const profile = useAnswer(profileDataset, { params: { id: set.datasetId } }).data?.profile;
  const tasks = useMemo(() => new Map(profile?.per_task.map((task) => [task.task, task])), [profile]);
  const total = set.rows ?? sample.length;
  return (
    <Part
      id="rows"
      title={
        all
          ? "Rows"
          : total <= sample.length
            ? "All rows"
            : `${["No", "One", "Two", "Three"][sample.length] ?? sample.length} of its rows`
      }
      full
      note={
        <span className="choices">
          {VIEWS.map((choice) => (
            <button
              key={choice}
              type="button"
              className="bare choice"
              aria-pressed={choice === view}
              onClick={() =>
                choose({ view: choice === VIEWS[0] ? undefined : choice }, { keepPage: true, replace: true })
              }
            >
              {choice === "json" ? "JSON" : choice}
            </button>
          ))}
          {total > sample.length && (
            <button
              type="button"
              className="bare choice"
              aria-pressed={all}
              onClick={() => choose({ rows: all ? undefined : "all", from: undefined })}
            >
              all {whole(total)}
            </button>
          )}
        </span>
      }
    >
      {all ? <RowPages set={set} view={view} tasks={tasks} /> : <Rows rows={sample} view={view} tasks={tasks} />}
    </Part>
  );
}

interface ViewProps {
  view: (typeof VIEWS)[number];
  tasks: RowViewProps["tasks"];
}

function RowPages({ set, view, tasks }: ViewProps & { set: Dataset }): ReactNode {
  const [search, choose] = useChoices();
  const cursor = textOf(search, "from");
  const [before, setBefore] = useState<readonly (string | undefined)[]>([]);
  const page = useAnswer(getDatasetRows, {
    params: { id: set.datasetId },
    query: { limit: PAGE, cursor: cursor ?? null },
  });
  const go = (to: string | undefined): void => choose({ from: to });
  return (
    <Answered of={page} what="the rows">
      {({ rows, nextCursor }) => (
        <>
          <Rows rows={rows} view={view} tasks={tasks} />
          <nav className="pager small" aria-label="Pages of rows">
            {cursor !== undefined && (
              <button
                type="button"
                className="plain"
                onClick={() => {
                  go(before.at(-1));
                  setBefore(before.slice(0, -1));
                }}
              >
                {before.length > 0 ? "Earlier" : "First rows"}
              </button>
            )}
            {nextCursor != null && (
              <button
                type="button"
                className="plain"
                onClick={() => {
                  setBefore([...before, cursor]);
                  go(nextCursor);
                }}
              >
                Later
              </button>
            )}
          </nav>
        </>
      )}
    </Answered>
  );
}

function Rows({ rows, view, tasks }: ViewProps & { rows: readonly RowObject[] }): ReactNode {
  if (rows.length === 0) return <p className="none">No row.</p>;
  return (
    <div className={view === "json" ? "rowview json" : "rowview"}>
      {rows.map((row, i) => (
        <RowView key={i} row={row} json={view === "json"} tasks={tasks} />
      ))}
    </div>
  );
}

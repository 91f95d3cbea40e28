import { listRuns, RUN_SORTS, type RunRow, type RunSort } from "@while/platform-client/contract";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { call } from "../../api/call.ts";
import { whole } from "../../numbers.ts";
import { Answered } from "../../parts/Answered.tsx";
import { CopyAs } from "../../parts/CopyAs.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Pager } from "../../parts/Pager.tsx";
import { Part } from "../../parts/Part.tsx";
import { readSort } from "../../parts/SortHead.tsx";
import { type TableFormat, tableText } from "../../parts/table-text.ts";
import { textOf, textsOf } from "../../search.ts";
import { announce } from "../../shell/announce.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { useChoices } from "../../use-search.ts";
import { ArchivedRuns } from "./ArchivedRuns.tsx";
import { COMPARE_MOST, toggled } from "./compared.ts";
import { keepFor, useKept } from "./kept-view.ts";
import { Menu } from "./Menu.tsx";
import styles from "./RunsPart.module.css";
import { RunTable } from "./RunTable.tsx";
import type { Report } from "./report.ts";
import { allColumns, columnsOf, type RunColumn, USUAL_COLUMNS } from "./run-columns.ts";
import { takenRuns } from "./run-export.ts";
import { runView } from "./run-view.ts";
import { usePinned, usePins } from "./use-pins.ts";
import { PAGE_SIZE, useRunList, type WalkedList } from "./use-run-list.ts";

/** The most runs that a copy holds. */
const EXPORT_MOST = 500;

export interface RunsPartProps {
  report: Report;
  /** Tells the drawer which runs lie before and after the open one. */
  onListed: (list: WalkedList) => void;
}

/** Every run of the agent: searched, filtered, sorted and paged on the platform, the served one on top. */
export function RunsPart({ report, onListed }: RunsPartProps): ReactNode {
  const choices = useChoices();
  const [search, choose] = choices;
  const { agent, behavior } = report;
  const sorting = readSort(textOf(search, "sort"), "-created");
  const known = allColumns(report);
  const kept = useKept(agent.id, "columns");
  const chosen = textsOf(search, "columns");
  const columns = columnsOf(known, chosen.length > 0 ? chosen : (kept ?? USUAL_COLUMNS));
  const compared = textsOf(search, "compare");
  const filter = {
    ...{ agent: agent.id, archived: false, behavior: behavior?.name ?? null, sort: sortOf(sorting.by, behavior) },
    ...{ order: sorting.down ? ("desc" as const) : ("asc" as const), q: textOf(search, "q") ?? null },
    ...{ status: textsOf(search, "status"), method: textsOf(search, "method") },
  };
  const { runs, at, beyond } = useRunList(choices, filter);
  const served = report.dashboard.versions.find(({ v }) => v === report.serving) ?? null;
  const { pins, onPin } = usePins(report);
  const pinned = usePinned(report, pins);
  const pools = new Map(report.dashboard.versions.flatMap(({ v, pooled }) => (pooled ? [[v, pooled] as const] : [])));
  const viewOf = (run: RunRow) => runView(run, { behavior: behavior?.name ?? null, served, pools });
  const listed = runs.data?.runs.map(({ id }) => id).join("\n");
  const edges = useRef(beyond);
  edges.current = beyond;
  useEffect(() => {
    onListed({ ids: listed ? listed.split("\n") : [], beyond: (by) => edges.current(by) });
  }, [listed, onListed]);
  const taken = async (format: TableFormat): Promise<string> => {
    const all = await call(listRuns, { query: { ...filter, limit: EXPORT_MOST } });
    return tableText(takenRuns(all.runs.map(viewOf), columns), format);
  };
  return (
    <Part id="runs" full title="Runs" note={<Controls {...{ report, known, columns, compared, taken }} />}>
      <Answered of={runs} what="runs">
        {(answer) => {
          const total = answer.total ?? answer.runs.length;
          const filtered = Boolean(filter.q) || filter.status.length > 0 || filter.method.length > 0;
          if (total === 0 && !filtered && pinned.length === 0) return <NoRuns />;
          return (
            <>
              <RunTable
                {...{ report, columns, sorting, compared, onPin }}
                pinned={pinned.map(viewOf)}
                views={answer.runs.filter(({ id }) => !pins.includes(id)).map(viewOf)}
                onSort={(sort) => choose({ sort: sort === "-created" ? undefined : sort })}
                open={textOf(search, "run")}
                onCompare={(run) => {
                  const next = toggled(compared, run);
                  announce(
                    next.length > COMPARE_MOST
                      ? `At most ${COMPARE_MOST} runs can be compared.`
                      : `${next.length} ${next.length === 1 ? "run is" : "runs are"} picked for the comparison.`,
                  );
                  if (next.length <= COMPARE_MOST) choose({ compare: next }, { keepPage: true, replace: true });
                }}
              />
              {answer.runs.length === 0 && (
                <p className="small none">
                  No run matches. Take back a filter, or look for another part of a version, an id, a method or a note.
                </p>
              )}
              <Pager page={at.page} size={PAGE_SIZE} total={total} what="runs" onPage={at.onPage} />
            </>
          );
        }}
      </Answered>
      <ArchivedRuns agent={agent.id} />
    </Part>
  );
}

/** What the platform can sort by; by score only where a behavior is picked. */
function sortOf(by: string, behavior: Report["behavior"]): RunSort {
  const sort = RUN_SORTS.find((known) => known === by) ?? "created";
  return behavior === null && (sort === "score" || sort === "n") ? "created" : sort;
}

interface ControlsProps {
  report: Report;
  known: readonly RunColumn[];
  columns: readonly RunColumn[];
  compared: readonly string[];
  taken: (format: TableFormat) => Promise<string>;
}

function Controls({ report, known, columns, compared, taken }: ControlsProps): ReactNode {
  const [search, choose] = useChoices();
  const field = useRef<HTMLInputElement>(null);
  const wanted = textOf(search, "q") ?? "";
  const [typed, setTyped] = useState(wanted);
  useEffect(() => setTyped(wanted), [wanted]);
  useKeys([{ keys: "/", says: "find a run", run: () => field.current?.focus() }]);
  // A short rest after the last key: the platform is asked once for a word and not once for a letter.
  useEffect(() => {
    if (typed === wanted) return;
    const wait = setTimeout(() => choose({ q: typed || undefined }, { replace: true }), 250);
    return () => clearTimeout(wait);
  }, [typed, wanted, choose]);
  const distinct = (of: (run: RunRow) => string | null | undefined, key: "status" | "method"): string[] =>
    [...new Set([...report.runs.map(of), ...textsOf(search, key)])].filter((value) => typeof value === "string").sort();
  return (
    <div className={styles.controls}>
      <label>
        <span className="sr">Find a run by version, id, method or note</span>
        <input
          ref={field}
          className="field"
          type="search"
          placeholder="Find a run  /"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <Several name="status" of={distinct((run) => run.status, "status")} />
      <Several name="method" of={distinct((run) => run.method, "method")} />
      <Columns agent={report.agent.id} known={known} columns={columns} />
      <span>
        compare:{" "}
        {compared.length < 2 ? (
          <>
            {compared.length === 1 ? "select one more" : "select two or more"} <span className="faint">x</span>
          </>
        ) : (
          <>
            <a href="#compare">{whole(compared.length)} runs</a>{" "}
            <button type="button" className="plain" onClick={() => choose({ compare: undefined }, { keepPage: true })}>
              none
            </button>
          </>
        )}
      </span>
      <CopyAs what="the runs" text={taken} />
    </div>
  );
}

/** Values of a field, any number of which may be asked for. */
function Several({ name, of }: { name: "status" | "method"; of: readonly string[] }): ReactNode {
  const [search, choose] = useChoices();
  const chosen = textsOf(search, name);
  if (of.length < 2 && chosen.length === 0) return null;
  return (
    <Menu name={name} chosen={chosen}>
      {of.map((value) => (
        <label key={value}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={() => choose({ [name]: toggled(chosen, value) })}
          />{" "}
          <bdi>{value}</bdi>
        </label>
      ))}
    </Menu>
  );
}

interface ColumnsProps {
  agent: string;
  known: readonly RunColumn[];
  columns: readonly RunColumn[];
}

function Columns({ agent, known, columns }: ColumnsProps): ReactNode {
  const [, choose] = useChoices();
  const shown = columns.map(({ key }) => key);
  const pick = (keys: readonly string[]): void => {
    keepFor(agent, "columns", keys);
    choose({ columns: [...keys] }, { keepPage: true, replace: true });
  };
  return (
    <Menu name="columns" chosen={[]}>
      {known.map(({ key, head }) => (
        <label key={key}>
          <input type="checkbox" checked={shown.includes(key)} onChange={() => pick(toggled(shown, key))} /> {head}
        </label>
      ))}
      <button type="button" className="plain" onClick={() => pick(USUAL_COLUMNS)}>
        the usual ones
      </button>
    </Menu>
  );
}

function NoRuns(): ReactNode {
  return (
    <Empty
      title="No run yet"
      code={{
        TypeScript:
          'const run = await tracked.run("v1", { method: "eval", targets: ["refund_policy"] })\nawait run.score("refund_policy", 83, { ci: 2.7, n: 240, testVersion: "t1" })\nawait run.finish("evaluated", { hours: 0.2, costUsd: 1.1 })',
        Python:
          'run = tracked.run("v1", method="eval", targets=["refund_policy"])\nrun.score("refund_policy", 83, ci=2.7, n=240, test_version="t1")\nrun.finish("evaluated", hours=0.2, cost_usd=1.1)',
        curl: 'curl -X POST "$WHILEAI_API_URL/runs" -H "X-Api-Key: $WHILEAI_API_KEY" -H "Content-Type: application/json" \\\n  -d \'{"agent": "<agent>", "version": "v1", "method": "eval", "targets": ["refund_policy"]}\'',
      }}
    >
      <p>A run is one version of the agent, trained or only evaluated. Each that is posted is a row here.</p>
    </Empty>
  );
}

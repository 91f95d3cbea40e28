import { type ReactNode, useRef } from "react";
import { fitName } from "../../marks/fit-name.ts";
import { roleOf } from "../../marks/role.ts";
import { Strip } from "../../marks/Strip.tsx";
import { StripAxis } from "../../marks/StripAxis.tsx";
import { domainOf } from "../../marks/scale.ts";
import { change, points } from "../../numbers.ts";
import { SortHead, type Sorting } from "../../parts/SortHead.tsx";
import { useKeys } from "../../shell/keys.tsx";
import { RunLink } from "./RunLink.tsx";
import styles from "./RunTable.module.css";
import type { Report } from "./report.ts";
import { type RunColumn, toServedText } from "./run-columns.ts";
import { isBeyond, type RunView } from "./run-view.ts";

export interface RunTableProps {
  report: Report;
  /** Above all others: the served version's run, and those that somebody pinned. */
  pinned: readonly RunView[];
  views: readonly RunView[];
  columns: readonly RunColumn[];
  sorting: Sorting;
  onSort: (sort: string) => void;
  /** The run whose record is open. */
  open: string | undefined;
  compared: readonly string[];
  onCompare: (run: string) => void;
  /** Pins a run above the others, or lets it go. */
  onPin: (run: string) => void;
}

/** The runs, one a row: `j` and `k` walk, Enter opens, `x` picks for the comparison, `p` pins. */
export function RunTable(props: RunTableProps): ReactNode {
  const { report, pinned, views, columns, sorting, onSort, onCompare, onPin } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const floor = report.behavior?.noiseFloor ?? null;
  const all = [...pinned, ...views];
  const domain = domainOf(
    all.flatMap(({ toServed }) =>
      toServed === null ? [] : [toServed.delta - (toServed.halfWidth ?? 0), toServed.delta + (toServed.halfWidth ?? 0)],
    ),
    { including: floor === null ? [-1, 0, 1] : [-floor, 0, floor] },
  );
  const step = (by: number): void => {
    const links = [...(body.current?.querySelectorAll<HTMLAnchorElement>("a[data-run]") ?? [])];
    const now = links.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
    const next = now === -1 ? (by > 0 ? 0 : links.length - 1) : Math.max(0, Math.min(links.length - 1, now + by));
    links[next]?.focus();
  };
  const inHand = (then: (run: string) => void) => (): void => {
    const row = document.activeElement?.closest("tr");
    const run = row?.querySelector<HTMLElement>("a[data-run]")?.dataset.run;
    if (run !== undefined && body.current?.contains(row ?? null)) then(run);
  };
  useKeys([
    { keys: "j", says: "next run", run: () => step(1) },
    { keys: "k", says: "previous run", run: () => step(-1) },
    { keys: "x", says: "pick a run for the comparison", run: inHand(onCompare) },
    { keys: "p", says: "pin a run above the others", run: inHand(onPin) },
  ]);
  const head = (column: RunColumn): ReactNode => {
    const className = [column.numeric && "num", column.narrow].filter(Boolean).join(" ") || undefined;
    return column.sort === undefined ? (
      <th key={column.key} scope="col" className={className}>
        {column.head}
      </th>
    ) : (
      <SortHead
        key={column.key}
        name={column.sort}
        sorting={sorting}
        onSort={onSort}
        {...(className === undefined ? {} : { className })}
      >
        {column.head}
      </SortHead>
    );
  };
  const before = columns.filter(({ key }) => BEFORE_CHANGE.has(key));
  const after = columns.filter(({ key }) => !BEFORE_CHANGE.has(key));
  return (
    <table className={styles.runs}>
      <caption className="sr">
        Runs{report.behavior === null ? "" : `, with their score on ${report.behavior.name}`}
      </caption>
      <thead>
        <tr>
          <SortHead name="version" sorting={sorting} onSort={onSort}>
            version
          </SortHead>
          {before.map(head)}
          <th scope="col" className={styles.plot}>
            <span className="sr">change, drawn</span>
            <StripAxis domain={domain} zero={report.serving === null ? "0" : fitName(report.serving, 8)} />
          </th>
          <th scope="col" className="num slim-off">
            to served
          </th>
          {after.map(head)}
          <th scope="col" className={styles.miss}>
            missing
          </th>
          <th scope="col" className="num">
            <span className="sr">compare</span>
          </th>
        </tr>
      </thead>
      <tbody ref={body}>
        {all.map((view) => (
          <Row key={view.run.id} view={view} {...props} {...{ domain, floor, before, after }} />
        ))}
      </tbody>
    </table>
  );
}

/** The score stands beside its change. */
const BEFORE_CHANGE = new Set(["status", "method", "score", "n"]);

interface RowProps extends RunTableProps {
  view: RunView;
  domain: readonly [number, number];
  floor: number | null;
  before: readonly RunColumn[];
  after: readonly RunColumn[];
}

function Row({ view, report, pinned, open, compared, domain, floor, before, after, ...does }: RowProps): ReactNode {
  const { run, toServed, missing, isServed } = view;
  const role = roleOf(run.version, report.serving, report.candidate);
  const here = run.id === open;
  const name = isServed ? "served" : role === "accent" ? "candidate" : role === "ink" ? "another run" : null;
  const isPinned = pinned.includes(view);
  const lastPinned = view === pinned.at(-1);
  return (
    <tr
      className={here ? styles.here : lastPinned ? styles.pinned : undefined}
      aria-current={here ? "true" : undefined}
    >
      <th scope="row">
        <RunLink run={run.id} row>
          <bdi>{run.version}</bdi>
        </RunLink>
        {name !== null && <span className={role === "accent" ? "sub accent" : "sub"}>{name}</span>}
        {isPinned && !isServed && (
          <span className="sub">
            pinned,{" "}
            <button type="button" className="plain" onClick={() => does.onPin(run.id)}>
              unpin<span className="sr"> {run.version}</span>
            </button>
          </span>
        )}
        {run.status === "running" && <span className="sub">running</span>}
        {(run.status === "failed" || run.status === "stopped") && <span className="sub bad">{run.status}</span>}
      </th>
      {before.map((column) => (
        <Cell key={column.key} column={column} view={view} />
      ))}
      <td className={styles.plot}>
        <Strip
          label={`${run.version}: ${toServedText(view) ?? "no score"}`}
          domain={domain}
          band={floor === null || (toServed === null && !isServed) ? null : [-floor, floor]}
          readings={
            isServed
              ? [{ value: 0, low: null, high: null, role: "ink" }]
              : toServed === null
                ? []
                : [
                    {
                      ...{ value: toServed.delta, role, open: !isBeyond(view, floor) },
                      low: toServed.halfWidth === null ? null : toServed.delta - toServed.halfWidth,
                      high: toServed.halfWidth === null ? null : toServed.delta + toServed.halfWidth,
                    },
                  ]
          }
        />
      </td>
      <td className="num slim-off">
        {toServed !== null ? (
          <>
            {change(toServed.delta)}
            {toServed.halfWidth !== null && <span className="sub">± {points(toServed.halfWidth)}</span>}
          </>
        ) : isServed ? null : (
          <span className="none">
            {view.otherTest ? "another test" : view.score === null ? "not scored" : "nothing served"}
          </span>
        )}
      </td>
      {after.map((column) => (
        <Cell key={column.key} column={column} view={view} />
      ))}
      <td className={styles.miss}>
        {missing.items.length === 0 ? (
          <span className="faint">0</span>
        ) : (
          <>
            <RunLink run={run.id} hash="missing">
              {missing.items.length}
              <span className="sr"> missing of {run.version}</span>
            </RunLink>
            <span className="sub wide-only">{missing.items.map(({ key }) => key).join(", ")}</span>
          </>
        )}
      </td>
      <td className="num">
        <input
          type="checkbox"
          aria-label={`Compare ${run.version}, ${run.id}`}
          checked={compared.includes(run.id)}
          onChange={() => does.onCompare(run.id)}
        />
      </td>
    </tr>
  );
}

/** Characters up to which a text does not break at its hyphens, and up to which a cell shows it; the open run has it whole. */
const SHORT = 12;
const LONG = 40;

function Cell({ column, view }: { column: RunColumn; view: RunView }): ReactNode {
  const text = column.text(view);
  const sub = column.sub?.(view) ?? null;
  const className = [column.numeric ? "num" : styles.name, styles[column.key], column.narrow].filter(Boolean).join(" ");
  return (
    <td className={className}>
      {text === null ? (
        <span className="none">{column.none}</span>
      ) : (
        <bdi className={text.length <= SHORT ? "nowrap" : undefined}>{fitName(text, LONG)}</bdi>
      )}
      {sub !== null && (
        <span className="sub">
          <bdi>{fitName(sub, LONG)}</bdi>
        </span>
      )}
    </td>
  );
}

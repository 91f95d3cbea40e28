import type { ReactNode } from "react";
import { Strip } from "../../marks/Strip.tsx";
import { number, whole } from "../../numbers.ts";
import { CheckMark } from "../../parts/CheckMark.tsx";
import { Part } from "../../parts/Part.tsx";
import type { WireObject } from "../../wire-values.ts";
import { type DeltaRow, readDelta } from "./delta-rows.ts";

const LOOKS = {
  better: { role: "good", open: false },
  worse: { role: "bad", open: false },
  "no difference seen": { role: "rest", open: true },
  "too little to tell": { role: "rest", open: true },
} as const;

/** The delta report of the run's own: every metric, and every group where one was named. */
export function DeltaPart({ summary }: { summary: WireObject | null }): ReactNode {
  const delta = readDelta(summary);
  if (delta === null) return null;
  return (
    <Part
      id="delta"
      title="What moved"
      note={
        <>
          <p>The same tasks before and after, paired. Bars are 95% intervals; hollow, the interval includes zero.</p>
          {delta.by !== null && (
            <p>
              Groups are values of <bdi className="wrap">{delta.by}</bdi>. Of many, some move by chance.
            </p>
          )}
        </>
      }
    >
      {delta.metrics.length > 0 && <DeltaTable head="metric" rows={delta.metrics} />}
      {delta.groups.length > 0 && <DeltaTable head={delta.by ?? "group"} rows={delta.groups} />}
      {delta.warnings.length > 0 && (
        <ul className="small">
          {delta.warnings.map((warning) => (
            <li key={warning} className="wrap">
              <CheckMark state="warning" /> <bdi>{warning}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

function DeltaTable({ head, rows }: { head: string; rows: readonly DeltaRow[] }): ReactNode {
  // Metrics have units of their own: each row is drawn on its own width, groups of one metric on the same.
  const shared = Math.max(...rows.map(reach));
  const alike = rows.every((row) => reach(row) > shared / 20);
  return (
    <table className="deltas">
      <thead>
        <tr>
          <th scope="col" className="wrap">
            <bdi>{head}</bdi>
          </th>
          <th scope="col" className="num wide-only">
            before
          </th>
          <th scope="col" className="num wide-only">
            after
          </th>
          <th scope="col" className="plot">
            <span className="sr">drawn</span>
          </th>
          <th scope="col" className="num">
            change
          </th>
          <th scope="col" className="num wide-only">
            tasks
          </th>
          <th scope="col" className="wide-only">
            reading
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.name} row={row} widest={alike ? shared : reach(row)} />
        ))}
      </tbody>
    </table>
  );
}

function reach({ delta, low, high }: DeltaRow): number {
  return Math.max(Math.abs(delta ?? 0), Math.abs(low ?? 0), Math.abs(high ?? 0));
}

function Row({ row, widest }: { row: DeltaRow; widest: number }): ReactNode {
  const { name, before, after, delta, low, high, tasks, verdict } = row;
  const look = LOOKS[verdict];
  const none = <span className="none">not measured</span>;
  const shown = delta === null ? "not measured" : signed(delta);
  return (
    <tr>
      <th scope="row" className="wrap">
        <bdi>{name}</bdi>
      </th>
      <td className="num wide-only">{before === null ? none : number(before)}</td>
      <td className="num wide-only">{after === null ? none : number(after)}</td>
      <td className="plot">
        <Strip
          label={`${name}: ${shown}, ${verdict}`}
          domain={[-1.1 * (widest || 1), 1.1 * (widest || 1)]}
          readings={delta === null ? [] : [{ value: delta, low, high, ...look }]}
        />
      </td>
      <td className="num">
        {delta === null ? none : <b>{shown}</b>}
        {low !== null && high !== null ? (
          <span className="sub">
            {signed(low)} to {signed(high)}
          </span>
        ) : (
          delta !== null && <span className="sub">no interval</span>
        )}
      </td>
      <td className="num wide-only">{tasks === null ? <span className="faint">–</span> : whole(tasks)}</td>
      <td className={`wide-only rd${look.role === "rest" ? "" : ` ${look.role}`}`}>{verdict}</td>
    </tr>
  );
}

/** Three decimals, as the terminal prints shares. */
const threeDecimals = new Intl.NumberFormat(undefined, { minimumFractionDigits: 3, maximumFractionDigits: 3 });

function signed(value: number): string {
  const size = Math.abs(value) >= 100 ? whole(Math.abs(value)) : threeDecimals.format(Math.abs(value));
  return value < 0 ? `\u2212${size}` : `+${size}`;
}

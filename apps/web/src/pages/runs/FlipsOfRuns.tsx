import { Link } from "@tanstack/react-router";
import { type Flips, getFlips, type RunDetail } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { Refusal } from "../../api/refusal.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Chart } from "../../marks/Chart.tsx";
import { change, number, whole } from "../../numbers.ts";
import knobs from "./ComparePart.module.css";
import styles from "./FlipsOfRuns.module.css";

export interface FlipsOfRunsProps {
  before: RunDetail;
  after: RunDetail;
  behavior: string;
}

/** The same rollouts on both, which both posted: which passed or failed where the other did not. */
export function FlipsOfRuns({ before, after, behavior }: FlipsOfRunsProps): ReactNode {
  const flips = useAnswer(getFlips, {
    params: { id: after.id, behavior },
    query: { against: before.id, limit: 1 },
  });
  const names = `${before.version} and ${after.version}`;
  if (flips.data === undefined) {
    const gone = flips.error instanceof Refusal && flips.error.status === 404;
    const says = gone ? `The rows of ${names} cannot be paired here.` : (flips.error?.message ?? "Pairing the rows …");
    return <p className="small quiet">{says}</p>;
  }
  return <Flipped flips={flips.data} before={before} after={after} behavior={behavior} />;
}

function Flipped({ flips, before, after, behavior }: FlipsOfRunsProps & { flips: Flips }): ReactNode {
  const { paired, bothPassed, fixed, broke, bothFailed, p, difference } = flips;
  const cells = [
    { name: "passed on both", short: "passed", count: bothPassed, tone: "band" },
    { name: "now passes", short: "now passes", count: fixed, tone: "good" },
    { name: "now fails", short: "now fails", count: broke, tone: "bad" },
    { name: "failed on both", short: "failed", count: bothFailed, tone: "band" },
  ] as const;
  const rows = (kind: string) => ({ agent: after.agent ?? undefined, behavior, flips: before.id, kind }) as never;
  return (
    <div className={styles.flip}>
      <h3>
        {whole(paired)} rollouts of {behavior} on both: <bdi>{before.version}</bdi> to <bdi>{after.version}</bdi>
      </h3>
      {paired === 0 ? (
        <p className="small none">No row of one has the prompt and reference of a row of the other.</p>
      ) : (
        <>
          <Chart
            label={`Of ${whole(paired)} rollouts ${cells.map(({ count, name }) => `${whole(count)} ${name}`).join(", ")}.`}
            height={70}
            points={(width) => {
              let before = 0;
              return cells.map(({ name, count }) => {
                const middle = (width * (before + count / 2)) / paired;
                before += count;
                return { x: middle, y: 33, says: `${name}: ${whole(count)} of ${whole(paired)}` };
              });
            }}
            table={
              <table className={knobs.knobs}>
                <caption className="sr">Rollouts by what became of them</caption>
                <tbody>
                  {cells.map(({ name, count }) => (
                    <tr key={name}>
                      <th scope="row">{name}</th>
                      <td className="num">{whole(count)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            }
          >
            {(width) => <Bars cells={cells} paired={paired} width={width} />}
          </Chart>
          <div className="cols-3 small">
            <p>
              <span className="quiet">By rollout</span>
              <br />
              {whole(fixed)} now pass and {whole(broke)} now fail
              {p === null ? "." : `. Exact McNemar over these ${whole(fixed + broke)}: p ${pText(p)}.`}{" "}
              <Link to="/platform/runs/$run/rows" params={{ run: after.id }} search={rows("broke")}>
                Read the {whole(broke)}
              </Link>
            </p>
            <p>
              <span className="quiet">By task</span>
              <br />
              {difference === null || difference.delta === null
                ? "No task is on both sides."
                : `${change(difference.delta)}${
                    difference.ci95 === null ? "" : `, ${change(difference.ci95[0])} to ${change(difference.ci95[1])}`
                  } points over ${whole(difference.tasks)} tasks${difference.p === null ? "" : `; sign flip p ${pText(difference.p)}`}. Rollouts of one task are not independent: this is the reading to go by.`}
            </p>
            <p>
              <span className="quiet">Not paired</span>
              <br />
              {flips.unpairedBefore + flips.unpairedAfter === 0
                ? "Every row of one has its row on the other."
                : `${whole(flips.unpairedBefore)} rows of ${before.version} and ${whole(flips.unpairedAfter)} of ${after.version}.`}
            </p>
          </div>
        </>
      )}
    </div>
  );
}

function pText(p: number): string {
  return p < 0.001 ? "< 0.001" : `= ${number(Number(p.toPrecision(2)))}`;
}

interface Cell {
  name: string;
  short: string;
  count: number;
  tone: "band" | "good" | "bad";
}

function Bars({ cells, paired, width }: { cells: readonly Cell[]; paired: number; width: number }): ReactNode {
  let from = 0;
  const narrow = width < 640;
  return cells.map(({ name, short, count, tone }, place) => {
    const left = from;
    from += (width * count) / paired;
    const room = from - left;
    const last = place === cells.length - 1;
    const at = last ? width : left;
    return (
      <g key={name} className={tone === "band" ? "c-rest" : `c-${tone}`}>
        <rect className={tone === "band" ? "band" : "iv"} x={left} y="22" width={Math.max(0, room - 1)} height="22" />
        {tone !== "band" && count > 0 && (
          <>
            <line className="cap" x1={left} x2={left} y1="22" y2="44" />
            <line className="cap" x1={from - 1} x2={from - 1} y1="22" y2="44" />
          </>
        )}
        {(room > 58 || (last && !narrow)) && (
          <text className={last ? "end t-ink" : "t-ink"} x={at} y="14">
            {narrow || room < 96 ? short : name}
          </text>
        )}
        {room > 22 && (
          <text className={`${last ? "end " : ""}t-ink t-b t-d`} x={at} y="62">
            {whole(count)}
          </text>
        )}
      </g>
    );
  });
}

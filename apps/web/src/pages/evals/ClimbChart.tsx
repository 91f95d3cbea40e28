import { type ReactNode, useState } from "react";
import { Bar } from "../../marks/Bar.tsx";
import { Chart } from "../../marks/Chart.tsx";
import { roundTicks, scaleOf } from "../../marks/scale.ts";
import { half, number, points, whole } from "../../numbers.ts";
import { type Climb, type ClimbPoint, climbSentence, DRAWN, LABEL_WIDTH, namedPoints, newestOf } from "./climb.ts";

const HEIGHT = 190;
const LEFT = 30;
/** Room for the label of the last point. */
const RIGHT = 30;
const TOP = 10;
const BOTTOM = 34;

/** Scores of one behavior over versions, with their intervals and what a re-run moves. */
export function ClimbChart({ name, climb }: { name: string; climb: Climb }): ReactNode {
  if (climb.points.length === 0) return <p className="small none">No version is scored on this behavior.</p>;
  const label = climbSentence(name, climb);
  const n = climb.points.length;
  const table = <ClimbTable name={name} climb={climb} />;
  return (
    <>
      <Chart label={label} height={HEIGHT} caption={captionOf(n)} table={n > DRAWN ? undefined : table}>
        {(width) => <Drawing climb={{ ...climb, points: newestOf(climb.points) }} width={width} />}
      </Chart>
      {n > DRAWN && <LongTable>{table}</LongTable>}
    </>
  );
}

function captionOf(n: number): string | undefined {
  if (n === 1) return "One version: a second one on the same test makes a change readable.";
  return n > DRAWN ? `The newest ${DRAWN} of ${whole(n)} versions; the table has them all.` : undefined;
}

/** A table of hundreds of versions is made when it is opened. */
function LongTable({ children }: { children: ReactNode }): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Table</summary>
      {open && children}
    </details>
  );
}

function Drawing({ climb: { points: all, band, domain }, width }: { climb: Climb; width: number }): ReactNode {
  const y = scaleOf(domain, [HEIGHT - BOTTOM, TOP]);
  const step = (width - LEFT - RIGHT) / all.length;
  const placed = all.map((point, index) => ({ point, x: LEFT + step * (index + 0.5) }));
  const named = new Set(namedPoints(all, step).map((index) => all[index]));
  const joined = placed.filter(({ point }) => point.otherTest === null);
  const thick = Math.max(1, Math.min(5, step * 0.3));
  const base = HEIGHT - BOTTOM;
  return (
    <>
      {roundTicks(domain, 4).map((tick) => (
        <g key={tick}>
          <line className="grid" x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text className="end" x={LEFT - 6} y={y(tick) + 4.5}>
            {number(tick)}
          </text>
        </g>
      ))}
      <line className="axis" x1={LEFT} x2={width - RIGHT} y1={base} y2={base} />
      {band !== null && (
        <>
          <rect
            className="band"
            x={LEFT}
            width={width - LEFT - RIGHT}
            y={y(band[1])}
            height={y(band[0]) - y(band[1])}
          />
          {band.map((edge) => (
            <line key={edge} className="edge" x1={LEFT} x2={width - RIGHT} y1={y(edge)} y2={y(edge)} />
          ))}
        </>
      )}
      <path
        className="link"
        d={joined
          .map(({ x, point }, i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y(point.score).toFixed(1)}`)
          .join("")}
      />
      {placed.map(({ point, x }) => (
        <Bar
          key={point.version}
          role={point.role}
          value={y(point.score)}
          low={point.half === null ? null : y(point.score - point.half)}
          high={point.half === null ? null : y(point.score + point.half)}
          across={x}
          half={thick}
          radius={Math.min(4, thick)}
          open={point.otherTest !== null}
          upright
        />
      ))}
      {placed
        .filter(({ point }) => named.has(point))
        .map(({ point, x }) => (
          <PointLabel
            key={point.version}
            point={point}
            x={x}
            y={y(point.score)}
            base={base}
            room={step}
            thick={thick}
          />
        ))}
    </>
  );
}

interface PointLabelProps {
  point: ClimbPoint;
  x: number;
  y: number;
  base: number;
  room: number;
  thick: number;
}

/** The version under the axis, its score at the mark, and what is not like the others. */
function PointLabel({ point, x, y, base, room, thick }: PointLabelProps): ReactNode {
  const main = point.role !== "rest";
  return (
    <>
      <text className={`mid${main ? " t-ink t-b" : ""}`} x={x} y={base + 16}>
        {shortName(point.version, Math.max(room, LABEL_WIDTH))}
      </text>
      {point.otherTest !== null && (
        <text className="mid t-f" x={x} y={base + 31}>
          another test
        </text>
      )}
      <text className="t-ink halo" x={x + thick + 4} y={y + 4.5}>
        {number(Number(point.score.toFixed(1)))}
      </text>
    </>
  );
}

/** As much of a name as fits; the table has it whole. */
function shortName(name: string, room: number): string {
  const most = Math.max(3, Math.floor(room / 7.2));
  return name.length <= most ? name : `${name.slice(0, most - 1)}…`;
}

function ClimbTable({ name, climb }: { name: string; climb: Climb }): ReactNode {
  return (
    <table>
      <caption className="sr">Scores of {name} by version</caption>
      <thead>
        <tr>
          <th scope="col">version</th>
          <th scope="col" className="num">
            score
          </th>
          <th scope="col" className="num">
            interval
          </th>
          <th scope="col" className="num">
            tasks
          </th>
          <th scope="col">test</th>
        </tr>
      </thead>
      <tbody>
        {climb.points.map((point) => (
          <tr key={point.version}>
            <th scope="row">
              <bdi>{point.version}</bdi>
            </th>
            <td className="num">{points(point.score)}</td>
            <td className="num">{point.half === null ? <span className="none">not posted</span> : half(point.half)}</td>
            <td className="num">{point.n === null ? <span className="none">not posted</span> : whole(point.n)}</td>
            <td>{point.otherTest === null ? "" : <bdi>{point.otherTest}</bdi>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

import type { Behavior, SeedPool } from "@while/platform-client/contract";
import { memo, type ReactNode } from "react";
import { Bar } from "../../marks/Bar.tsx";
import { Chart } from "../../marks/Chart.tsx";
import { fitName } from "../../marks/fit-name.ts";
import { roleOf } from "../../marks/role.ts";
import { domainOf, roundTicks, type Scale, scaleOf } from "../../marks/scale.ts";
import { spreadLabels } from "../../marks/spread-labels.ts";
import { half, number, seedsText, shortDate, points as shown } from "../../numbers.ts";
import type { Report } from "./report.ts";
import { endsOf, fitting, type ScorePoint } from "./score-groups.ts";

export interface ScoreChartProps {
  points: readonly ScorePoint[];
  report: Report;
  behavior: Behavior;
}

/** Room that a version takes: its number stands beside its bar, or over it where there is little. */
const ROOM = { wide: 62, narrow: 44 };
const LABELS = 172;

interface Plane {
  drawn: readonly ScorePoint[];
  at: (point: ScorePoint) => number;
  y: Scale;
  area: { left: number; right: number; top: number; bottom: number };
  narrow: boolean;
  step: number;
}

/** Versions in time order: intervals, the line that joins one test, the band around the served score, the frontier. */
export const ScoreChart = memo(function ScoreChart({ points, report, behavior }: ScoreChartProps): ReactNode {
  const { frontier } = report.agent;
  const said = points.map(({ version, score, half: width }) =>
    [version, shown(score), width === null ? "without an interval" : `plus or minus ${shown(width)}`].join(" "),
  );
  const most = Math.max(0, said.length - 12);
  const label = `Held-out score by version on ${behavior.name}: ${most > 0 ? `${most} earlier, then ` : ""}${said.slice(most).join("; ")}${
    frontier?.score == null ? "" : `; the frontier ${frontier.name} at ${shown(frontier.score)}`
  }.`;
  const plane = (width: number, height: number): Plane => planeOf(points, report, behavior, width, height);
  const grouped = points.some(({ group }) => group !== "");
  return (
    <Chart
      label={label}
      height={(width) => (width < 640 ? 316 : 352) + (grouped ? 34 : 0)}
      points={(width, height) => {
        const { drawn, at, y } = plane(width, height);
        return drawn.map((point) => ({
          ...{ x: at(point), y: y(point.score) },
          says: `${point.version}: ${shown(point.score)}${point.half === null ? ", no interval" : ` ${half(point.half)}`}${
            point.pooled === null ? "" : `; ${seedsText(point.pooled)}`
          }`,
        }));
      }}
      table={<ScoreTable points={points} grouped={grouped} behavior={behavior.name} />}
    >
      {(width, height) => (
        <Drawing plane={plane(width, height)} report={report} behavior={behavior} grouped={grouped} points={points} />
      )}
    </Chart>
  );
});

function planeOf(
  points: readonly ScorePoint[],
  { serving, candidate, agent }: Report,
  behavior: Behavior,
  width: number,
  height: number,
): Plane {
  const narrow = width < 640;
  const grouped = points.some(({ group }) => group !== "");
  const area = {
    ...{ left: 34, right: narrow ? width - 4 : width - LABELS, top: 24 },
    bottom: height - (narrow ? 44 : 62) - (grouped ? 34 : 0),
  };
  const drawn = fitting(points, mostOf(area, narrow), [serving, candidate]);
  const step = (area.right - area.left) / drawn.length;
  const reach = drawn.flatMap(({ pooled, ...point }) => [
    ...(endsOf(point) ?? [point.score]),
    ...(pooled === null ? [] : [pooled.mean - pooled.sd, pooled.mean + pooled.sd]),
  ]);
  const served = drawn.find(({ version }) => version === serving)?.score;
  const floor = behavior.noiseFloor ?? 0;
  const lines = [agent.frontier?.score ?? null, served === undefined ? null : served + floor];
  if (served !== undefined) lines.push(served - floor);
  const domain = domainOf(reach, { including: lines.filter((line) => line !== null), margin: 0.12 });
  return {
    ...{ drawn, area, narrow, step },
    at: (point) => area.left + step * (drawn.indexOf(point) + 0.5),
    y: scaleOf(domain, [area.bottom, area.top]),
  };
}

function mostOf({ left, right }: { left: number; right: number }, narrow: boolean): number {
  return Math.max(3, Math.floor((right - left) / (narrow ? ROOM.narrow : ROOM.wide)));
}

interface DrawingProps {
  plane: Plane;
  report: Report;
  behavior: Behavior;
  grouped: boolean;
  /** All versions, of which those that fit are drawn. */
  points: readonly ScorePoint[];
}

function Drawing({ plane, report, behavior, grouped, points }: DrawingProps): ReactNode {
  const { drawn, y, area, narrow } = plane;
  const { serving, agent } = report;
  const seen = new Set(drawn);
  const omitted = (before: ScorePoint, after: ScorePoint): boolean =>
    points
      .slice(points.indexOf(before) + 1, points.indexOf(after))
      .some((point) => !point.otherTest && !seen.has(point));
  const frontier = agent.frontier?.score == null ? null : { name: agent.frontier.name, score: agent.frontier.score };
  const served = drawn.find(({ version, otherTest }) => version === serving && !otherTest);
  const floor = behavior.noiseFloor ?? null;
  const band = served === undefined || floor === null ? null : ([served.score + floor, served.score - floor] as const);
  const [frontierAt, bandAt] = spreadLabels(
    [frontier === null ? Number.NEGATIVE_INFINITY : y(frontier.score), band === null ? 1e9 : y(served!.score) + 12],
    { apart: 36, low: area.top, high: area.bottom },
  );
  return (
    <>
      {roundTicks(y.domain, 5).map((tick) => (
        <g key={tick}>
          <line className="grid" x1={area.left} x2={area.right} y1={y(tick)} y2={y(tick)} />
          <text className="end" x={area.left - 6} y={y(tick) + 4.5}>
            {number(tick)}
          </text>
        </g>
      ))}
      {band !== null && (
        <>
          <rect
            className="band"
            x={area.left}
            y={y(band[0])}
            width={area.right - area.left}
            height={y(band[1]) - y(band[0])}
          />
          {band.map((edge) => (
            <line key={edge} className="edge" x1={area.left} x2={area.right} y1={y(edge)} y2={y(edge)} />
          ))}
        </>
      )}
      {frontier !== null && (
        <line className="frontier" x1={area.left} x2={area.right} y1={y(frontier.score)} y2={y(frontier.score)} />
      )}
      <line className="axis" x1={area.left} x2={area.right} y1={area.bottom} y2={area.bottom} />
      {!narrow && frontier !== null && (
        <>
          <text className="t-ink" x={area.right + 10} y={frontierAt! - 1}>
            {fitName(frontier.name, 16)}, {shown(frontier.score)}
          </text>
          <text className="t-f" x={area.right + 10} y={frontierAt! + 14}>
            frontier, no interval
          </text>
        </>
      )}
      {!narrow && band !== null && (
        <text x={area.right + 10} y={bandAt! - 7}>
          {fitName(serving!, 10)} ± {number(floor!)}, re-run band
        </text>
      )}
      {narrow && frontier !== null && (
        <text className="halo" x={area.left + 2} y={y(frontier.score) - 6}>
          {fitName(frontier.name, 18)}, {shown(frontier.score)} (frontier)
        </text>
      )}
      <path className="link" d={joined(plane, omitted)} />
      {drawn.map((point) => (
        <VersionMark key={point.version} point={point} plane={plane} report={report} />
      ))}
      {grouped && <Groups plane={plane} />}
      {drawn.length < points.length && (
        <text className="t-f" x={area.left} y="12">
          the newest {drawn.length} of {points.length}; all are in the table
        </text>
      )}
    </>
  );
}

/** One line for each stretch of the same test and the same group, which stops where a version is left out. */
function joined({ drawn, at, y }: Plane, omitted: (before: ScorePoint, after: ScorePoint) => boolean): string {
  let path = "";
  let before: ScorePoint | null = null;
  for (const point of drawn) {
    if (point.otherTest) continue;
    path += `${before !== null && before.group === point.group && !omitted(before, point) ? "L" : "M"}${at(point)} ${y(point.score)}`;
    before = point;
  }
  return path;
}

function VersionMark({ point, plane, report }: { point: ScorePoint; plane: Plane; report: Report }): ReactNode {
  const { at, y, area, narrow, step } = plane;
  const { version, score, otherTest, method } = point;
  const role = otherTest ? "rest" : roleOf(version, report.serving, report.candidate);
  const x = at(point);
  const ends = endsOf(point);
  const top = y(ends?.[1] ?? score);
  const bold = role === "rest" ? "" : " t-b";
  const fits = Math.max(5, Math.floor(step / (narrow ? 7.5 : 9.5)));
  const under =
    version === report.serving ? "served" : otherTest ? "another test" : role === "accent" ? "candidate" : null;
  return (
    <g className={`c-${role}`}>
      <Bar
        role={role}
        open={otherTest}
        upright
        value={y(score)}
        low={ends === null ? null : y(ends[0])}
        high={ends === null ? null : y(ends[1])}
        across={x}
        half={narrow ? 5.5 : 7}
        radius={role === "rest" ? 4.5 : 5.5}
      />
      {point.pooled !== null && <SeedMark pooled={point.pooled} x={x - (narrow ? 11 : 14)} y={y} />}
      {narrow ? (
        <text className={`mid t-ink halo${bold}`} x={x} y={top - 6}>
          {number(Math.round(10 * score) / 10)}
        </text>
      ) : (
        <text className={`t-ink t-d halo${bold}`} x={x + 12} y={y(score) + 5}>
          {shown(score)}
        </text>
      )}
      <text className={`mid t-ink${narrow ? "" : " t-d"}${bold}`} x={x} y={area.bottom + 19}>
        {fitName(version, fits)}
      </text>
      {!narrow && step > 70 && (
        <text className="mid" x={x} y={area.bottom + 36}>
          {[method, point.at === null ? null : shortDate(point.at)].filter(Boolean).join(", ")}
        </text>
      )}
      {under !== null && (
        <text
          className={`mid t-i ${role === "accent" ? "t-c" : role === "ink" ? "t-ink" : "t-f"}`}
          x={x}
          y={area.bottom + (narrow || step <= 70 ? 35 : 53)}
        >
          {narrow ? under.replace("candidate", "cand.").replace("another test", "other") : under}
        </text>
      )}
    </g>
  );
}

/** The mean over the seeds of a version, and one standard deviation between them: it informs beside the bar that decides. */
function SeedMark({ pooled: { mean, sd }, x, y }: { pooled: SeedPool; x: number; y: Scale }): ReactNode {
  return (
    <>
      <line className="thin" x1={x} x2={x} y1={y(mean - sd)} y2={y(mean + sd)} />
      <line className="thin" x1={x - 3} x2={x + 3} y1={y(mean)} y2={y(mean)} />
    </>
  );
}

/** A line under the versions of a group, with its name. */
function Groups({ plane: { drawn, at, area, step } }: { plane: Plane }): ReactNode {
  const groups = new Map<string, ScorePoint[]>();
  for (const point of drawn) groups.set(point.group, [...(groups.get(point.group) ?? []), point]);
  const y = area.bottom + 62;
  return [...groups].map(([group, members]) => {
    const [from, to] = [at(members[0]!) - step / 2 + 4, at(members.at(-1)!) + step / 2 - 4];
    return (
      <g key={group}>
        <line className="axis" x1={from} x2={to} y1={y} y2={y} />
        <text className="mid t-ink" x={(from + to) / 2} y={y + 18}>
          {fitName(group, Math.max(6, Math.floor((to - from) / 7.5)))}
        </text>
      </g>
    );
  });
}

function ScoreTable({
  points,
  grouped,
  behavior,
}: {
  points: readonly ScorePoint[];
  grouped: boolean;
  behavior: string;
}): ReactNode {
  const seeded = points.some(({ pooled }) => pooled !== null);
  return (
    <table>
      <caption className="sr">Held-out score by version on {behavior}</caption>
      <thead>
        <tr>
          <th scope="col">version</th>
          {grouped && <th scope="col">group</th>}
          <th scope="col">test</th>
          <th scope="col" className="num">
            n
          </th>
          <th scope="col" className="num">
            score
          </th>
          <th scope="col" className="num">
            ±
          </th>
          {seeded && <th scope="col">seeds</th>}
        </tr>
      </thead>
      <tbody>
        {points.map((point) => (
          <tr key={point.version}>
            <th scope="row">
              <bdi>{point.version}</bdi>
            </th>
            {grouped && (
              <td>
                <bdi>{point.group}</bdi>
              </td>
            )}
            <td>{point.test === null ? <span className="none">unnamed</span> : <bdi>{point.test}</bdi>}</td>
            <td className="num">{point.n ?? <span className="none">not posted</span>}</td>
            <td className="num">{shown(point.score)}</td>
            <td className="num">
              {point.half === null ? <span className="none">not posted</span> : shown(point.half)}
            </td>
            {seeded && (
              <td>{point.pooled === null ? <span className="none">one, or unnamed</span> : seedsText(point.pooled)}</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

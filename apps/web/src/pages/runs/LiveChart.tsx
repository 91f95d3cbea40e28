import type { LiveSeries, PromotionEntry } from "@while/platform-client/contract";
import type { CSSProperties, ReactNode } from "react";
import { Chart } from "../../marks/Chart.tsx";
import { fitName } from "../../marks/fit-name.ts";
import { type Role, roleOf, versionColour } from "../../marks/role.ts";
import { roundTicks, scaleOf } from "../../marks/scale.ts";
import { date, number, shortDate, whole } from "../../numbers.ts";
import { liveStretches, promotionsOnDays } from "./live-stretches.ts";

export interface LiveChartProps {
  live: LiveSeries;
  serving: string | null;
  candidate: string | null;
  promotions: readonly PromotionEntry[];
}

/** Flagged share as a line, replies as bars below, and over both which version answered. */
export function LiveChart({ live, serving, candidate, promotions }: LiveChartProps): ReactNode {
  const shares = live.flaggedPct.filter((value) => value !== null);
  const [first, last] = [live.days[0]!, live.days.at(-1)!];
  const label = `${live.days.length} days of traffic from ${date(first)} to ${date(last)}: ${whole(Math.min(...live.replies))} to ${whole(
    Math.max(...live.replies),
  )} replies a day${shares.length === 0 ? "" : `, flagged share ${number(Math.min(...shares))} to ${number(Math.max(...shares))} percent`}.`;
  return (
    <Chart
      label={label}
      height={(width) => (width < 640 ? 270 : 304)}
      points={(width, height) => {
        const { x, y } = planeOf(live, width, height);
        return live.days.map((day, at) => {
          const share = live.flaggedPct[at] ?? null;
          return {
            ...{ x: x(at), y: share === null ? null : y(share) },
            says: `${shortDate(day)}, ${live.version[at] ?? "no version"}: ${whole(live.replies[at]!)} replies, ${share === null ? "nothing flagged or answered" : `${number(share)}% flagged`}${live.p50s[at] == null ? "" : `, p50 ${number(live.p50s[at])} s`}`,
          };
        });
      }}
      table={<DayTable live={live} />}
    >
      {(width, height) => <Drawing {...{ live, serving, candidate, promotions, width, height }} />}
    </Chart>
  );
}

/** The served version and the candidate have their roles' ink, every other one the colour of its name. */
function inkOf(version: string | null, role: Role): { className: string; style?: CSSProperties } {
  const className = `c-${role}`;
  if (role !== "rest" || version === null) return { className };
  return { className, style: { "--c": versionColour(version) } as CSSProperties };
}

function planeOf(live: LiveSeries, width: number, height: number) {
  const narrow = width < 640;
  const area = { left: 44, right: narrow ? width - 4 : width - 126, split: height - 130, bottom: height - 22 };
  const step = (area.right - area.left) / live.days.length;
  const highest = Math.max(1, ...live.flaggedPct.map((value) => value ?? 0));
  const [, size = 1] = roundTicks([0, highest], 4);
  const most = size * Math.ceil(highest / size);
  const busiest = Math.max(1, ...live.replies);
  return {
    ...{ narrow, area, step, most, busiest },
    x: (at: number) => area.left + step * (at + 0.5),
    y: scaleOf([0, most], [area.split, 44]),
    count: scaleOf([0, busiest], [area.bottom, area.split + 36]),
  };
}

function Drawing({
  live,
  serving,
  candidate,
  promotions,
  width,
  height,
}: LiveChartProps & { width: number; height: number }): ReactNode {
  const { narrow, area, step, most, busiest, x, y, count } = planeOf(live, width, height);
  const ticks = roundTicks([0, most], 4);
  const stretches = liveStretches(live);
  const marks = promotionsOnDays(live, promotions);
  const last = live.flaggedPct.findLastIndex((value) => value !== null);
  return (
    <>
      {ticks.map((tick, at) => (
        <g key={tick}>
          <line className={tick === 0 ? "axis" : "grid"} x1={area.left} x2={area.right} y1={y(tick)} y2={y(tick)} />
          <text className="end" x={area.left - 6} y={y(tick) + 4.5}>
            {number(tick)}
            {at === ticks.length - 1 ? "%" : ""}
          </text>
        </g>
      ))}
      {stretches.map(({ version, from, to }) => {
        const role = roleOf(version, serving, candidate);
        const [left, right] = [x(from) - step / 2, x(to) + step / 2];
        const room = Math.floor((right - left) / 7);
        return (
          <g key={from} {...inkOf(version, role)}>
            <line className="line" x1={left + 1} x2={right - 2} y1="8" y2="8" />
            {room >= 4 && (
              <text className={version === null ? "t-f" : role === "ink" ? "t-ink" : "t-c"} x={left} y="24">
                {version === null ? "none" : fitName(version, Math.max(4, room - 9))}
                {room >= 12 ? " answers" : ""}
              </text>
            )}
          </g>
        );
      })}
      {marks.map(({ at, entry }) => (
        <g key={`${entry.at} ${entry.version}`}>
          <line className="lead-line" x1={x(at)} x2={x(at)} y1="2" y2={area.bottom} />
          {!narrow && (
            <text
              className={`${at > live.days.length / 2 ? "end " : ""}t-ink halo`}
              x={x(at) + (at > live.days.length / 2 ? -5 : 5)}
              y="38"
            >
              {fitName(entry.version, 12)} promoted
            </text>
          )}
        </g>
      ))}
      {stretches.map(({ version, from, to }) => {
        const days = live.flaggedPct.slice(from, to + 1).map((share, at) => ({ at: from + at, share }));
        const role = roleOf(version, serving, candidate);
        let joined = false;
        const path = days
          .map(({ at, share }) => {
            if (share === null) {
              joined = false;
              return "";
            }
            const part = `${joined ? "L" : "M"}${x(at)} ${y(share)}`;
            joined = true;
            return part;
          })
          .join("");
        return (
          <g key={from} {...inkOf(version, role)}>
            <path className="line" d={path} />
            {days.map(({ at, share }) =>
              share === null ? null : <circle key={at} className="pt" cx={x(at)} cy={y(share)} r="2.6" />,
            )}
          </g>
        );
      })}
      {last !== -1 && !narrow && (
        <text className="t-ink" x={x(last) + 12} y={y(live.flaggedPct[last]!) + 4.5}>
          {number(live.flaggedPct[last]!)}% flagged
        </text>
      )}
      <line className="axis" x1={area.left} x2={area.right} y1={area.bottom} y2={area.bottom} />
      {roundTicks([0, busiest], 2)
        .filter((tick) => tick > 0)
        .map((tick) => (
          <g key={tick}>
            <line className="grid" x1={area.left} x2={area.right} y1={count(tick)} y2={count(tick)} />
            <text className="end" x={area.left - 6} y={count(tick) + 4.5}>
              {whole(tick)}
            </text>
          </g>
        ))}
      {live.replies.map((replies, at) =>
        replies === 0 ? (
          <text key={at} className="mid t-f t-i halo" x={x(at)} y={area.bottom - 8}>
            none
          </text>
        ) : (
          <rect
            key={at}
            className="bars"
            x={x(at) - step / 4}
            y={count(replies)}
            width={step / 2}
            height={area.bottom - count(replies)}
          />
        ),
      )}
      {!narrow && (
        <text className="t-ink" x={area.right + 8} y={count(live.replies.at(-1)!) + 8}>
          {whole(live.replies.at(-1)!)} replies
        </text>
      )}
      <text x={area.left} y={height - 4}>
        {shortDate(live.days[0]!)}
      </text>
      {live.days.length > 1 && (
        <text className="end" x={area.right} y={height - 4}>
          {shortDate(live.days.at(-1)!)}
        </text>
      )}
    </>
  );
}

function DayTable({ live }: { live: LiveSeries }): ReactNode {
  return (
    <table>
      <caption className="sr">Traffic by day</caption>
      <thead>
        <tr>
          <th scope="col">day</th>
          <th scope="col">version</th>
          <th scope="col" className="num">
            replies
          </th>
          <th scope="col" className="num">
            flagged
          </th>
          <th scope="col" className="num">
            p50
          </th>
        </tr>
      </thead>
      <tbody>
        {live.days.map((day, at) => (
          <tr key={at}>
            <th scope="row">{day}</th>
            <td>{live.version[at] ?? <span className="none">none</span>}</td>
            <td className="num">{whole(live.replies[at]!)}</td>
            <td className="num">
              {live.flaggedPct[at] == null ? (
                <span className="none">no replies</span>
              ) : (
                `${number(live.flaggedPct[at])}%`
              )}
            </td>
            <td className="num">
              {live.p50s[at] == null ? <span className="none">not posted</span> : `${number(live.p50s[at])} s`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

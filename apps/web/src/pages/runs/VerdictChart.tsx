import type { Verdict } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { Bar } from "../../marks/Bar.tsx";
import { Chart } from "../../marks/Chart.tsx";
import type { Role } from "../../marks/role.ts";
import { domainOf, roundTicks, scaleOf } from "../../marks/scale.ts";
import { change, half, number, points } from "../../numbers.ts";
import { isClaim } from "../../verdict-word.ts";
import type { PairedReading } from "./paired.ts";

export interface VerdictChartProps {
  verdict: Verdict;
  paired: PairedReading | null;
}

interface Reading {
  name: string;
  note: string;
  value: number;
  low: number | null;
  high: number | null;
  said: string;
  beside: string;
}

/** Candidate minus served: the reading that decides, and under it the paired one that informs. */
export function VerdictChart({ verdict, paired }: VerdictChartProps): ReactNode {
  const readings = readingsOf(verdict, paired);
  const floor = verdict.noiseFloor;
  const band = floor === null ? "no re-run band measured" : `re-run band of plus or minus ${floor}`;
  const [first] = readings;
  const label = `${verdict.candidate} minus ${verdict.serving} on ${verdict.behavior}: ${change(verdict.delta!)}${
    first!.low === null ? ", no interval" : `, interval ${change(first!.low)} to ${change(first!.high!)}`
  }, ${band}.`;
  return (
    <Chart
      label={label}
      height={(width) => (width < 640 ? 30 + 66 * readings.length + 40 : 152 - (readings.length === 1 ? 38 : 0))}
      points={(width, height) => {
        const { x, yOf } = planeOf(readings, verdict, width, height);
        return readings.map((reading, at) => ({
          ...{ x: x(reading.value), y: yOf(at) },
          says: `${reading.name}: ${reading.said}${reading.beside === "" ? "" : `, ${reading.beside}`}`,
        }));
      }}
      table={<ReadingTable readings={readings} verdict={verdict} />}
    >
      {(width, height) => <Drawing {...{ verdict, readings, width, height }} />}
    </Chart>
  );
}

function readingsOf(verdict: Verdict, paired: PairedReading | null): Reading[] {
  const { candidate, serving, delta, halfWidth } = verdict;
  const readings: Reading[] = [
    {
      ...{ name: `${candidate} − ${serving}, two intervals`, note: "decides the verdict", value: delta! },
      low: halfWidth === null ? null : delta! - halfWidth,
      high: halfWidth === null ? null : delta! + halfWidth,
      said: halfWidth === null ? change(delta!) : `${change(delta!)} ${half(halfWidth)}`,
      beside: halfWidth === null ? "no interval" : "",
    },
  ];
  if (paired !== null) {
    const { tasks, delta: value, low, high, p } = paired;
    const said = low === null || high === null ? change(value) : `${change(value)}, ${change(low)} to ${change(high)}`;
    readings.push({
      ...{ name: "the same tasks, paired", note: `${tasks} tasks, both versions`, value, low, high, said },
      beside: p === null ? "" : `sign-flip p ${p < 0.001 ? "< 0.001" : `= ${number(Number(p.toPrecision(2)))}`}`,
    });
  }
  return readings;
}

interface DrawingProps {
  verdict: Verdict;
  readings: readonly Reading[];
  width: number;
  height: number;
}

function planeOf(readings: readonly Reading[], { noiseFloor: floor }: Verdict, width: number, height: number) {
  const narrow = width < 640;
  const reach = readings.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  const domain = domainOf(reach, { including: floor === null ? [0] : [-floor, 0, floor], margin: 0.08 });
  const [left, right] = narrow ? [4, width - 4] : [Math.min(212, width * 0.3), width - 176];
  return {
    ...{ narrow, domain, left, right, x: scaleOf(domain, [left, right]) },
    ...{ top: narrow ? 20 : 24, bottom: height - (narrow ? 40 : 26) },
    yOf: (at: number) => (narrow ? 56 + 62 * at : 54 + 44 * at),
  };
}

function Drawing({ verdict, readings, width, height }: DrawingProps): ReactNode {
  const { narrow, domain, left, right, x, top, bottom, yOf } = planeOf(readings, verdict, width, height);
  const floor = verdict.noiseFloor;
  const ticks = roundTicks(domain, narrow ? 3 : 5);
  const open = !isClaim(verdict) || verdict.gaps.length > 0;
  const role: Role = open ? "rest" : "accent";
  return (
    <>
      {floor !== null && (
        <>
          <rect className="band" x={x(-floor)} y={top} width={x(floor) - x(-floor)} height={bottom - top} />
          <line className="edge" x1={x(-floor)} x2={x(-floor)} y1={top} y2={bottom} />
          <line className="edge" x1={x(floor)} x2={x(floor)} y1={top} y2={bottom} />
          {!narrow && (
            <text className="mid" x={x(0)} y="17">
              re-run band ±{number(floor)}
            </text>
          )}
        </>
      )}
      {ticks.map((tick, at) => (
        <g key={tick}>
          <line className="axis" x1={x(tick)} x2={x(tick)} y1={bottom} y2={bottom + 5} />
          <text className={at === ticks.length - 1 && x(tick) > right - 40 ? "end" : "mid"} x={x(tick)} y={bottom + 20}>
            {tick === 0 ? "0" : change(tick).replace(/[.,]0$/, "")}
            {at === ticks.length - 1 ? " points" : ""}
          </text>
        </g>
      ))}
      <line className="axis" x1={left} x2={right} y1={bottom} y2={bottom} />
      <line className="zero" x1={x(0)} x2={x(0)} y1={top} y2={bottom} />
      {readings.map((reading, at) => {
        const y = yOf(at);
        const ends = {
          low: reading.low === null ? null : x(reading.low),
          high: reading.high === null ? null : x(reading.high),
        };
        return (
          <g key={reading.name}>
            <Bar
              {...ends}
              role={role}
              open={open}
              value={x(reading.value)}
              across={y}
              half={at === 0 ? 9 : 5}
              radius={at === 0 ? 6 : 4}
            />
            {narrow ? (
              <text className="halo" x="4" y={y - 22}>
                {at === 0 ? "two intervals, decides: " : "paired by task: "}
                <tspan className={at === 0 ? "t-ink t-b" : "t-ink"}>{reading.said}</tspan>
                {reading.beside !== "" && at > 0 && width > 340 && `, ${reading.beside.replace("sign-flip ", "")}`}
              </text>
            ) : (
              <>
                <text className="t-ink t-d" x="0" y={y + 1}>
                  {reading.name.length > 30 ? "candidate − served" : reading.name}
                </text>
                <text x="0" y={y + 18}>
                  {reading.note}
                </text>
                <text className={at === 0 ? "t-ink t-b t-h" : "t-ink t-d"} x={right + 16} y={y + (at === 0 ? 6 : 1)}>
                  {at === 0 ? reading.said : change(reading.value)}
                </text>
                <text x={right + 16} y={y + (at === 0 ? 24 : 18)}>
                  {at === 0 ? reading.beside : lowHigh(reading)}
                </text>
                {at > 0 && (
                  <text x={right + 16} y={y + 35}>
                    {reading.beside}
                  </text>
                )}
              </>
            )}
          </g>
        );
      })}
      {narrow && (
        <text className="t-f" x="4" y={height - 2}>
          {floor === null ? "no re-run band measured; points" : `grey: re-run band ±${number(floor)}, in points`}
        </text>
      )}
    </>
  );
}

function lowHigh({ low, high }: Reading): string {
  return low === null || high === null ? "no interval" : `${change(low)} to ${change(high)}`;
}

function ReadingTable({ readings, verdict }: { readings: readonly Reading[]; verdict: Verdict }): ReactNode {
  return (
    <table>
      <caption className="sr">
        {verdict.candidate} minus {verdict.serving}, in points
      </caption>
      <thead>
        <tr>
          <th scope="col">reading</th>
          {["change", "low", "high"].map((head) => (
            <th key={head} scope="col" className="num">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {readings.map(({ name, value, low, high }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="num">{change(value)}</td>
            <td className="num">{low === null ? <span className="none">no interval</span> : change(low)}</td>
            <td className="num">{high === null ? <span className="none">no interval</span> : change(high)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">re-run band</th>
          {verdict.noiseFloor === null ? (
            <td className="num" colSpan={3}>
              <span className="none">not measured</span>
            </td>
          ) : (
            <>
              <td />
              <td className="num">{points(-verdict.noiseFloor)}</td>
              <td className="num">{change(verdict.noiseFloor)}</td>
            </>
          )}
        </tr>
      </tbody>
    </table>
  );
}

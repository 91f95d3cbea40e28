import type { ReactNode } from "react";
import { number, shortNumber, whole } from "../numbers.ts";
import { Chart } from "./Chart.tsx";
import { CurvePointer, stepReading } from "./CurvePointer.tsx";
import type { CurveLine, CurveLook } from "./curve-line.ts";
import { areaPath, curvePath, type Gap, gapsOf, lastOf } from "./curve-path.ts";
import type { ChartPoint } from "./PointReader.tsx";
import { domainOf, logScaleOf, logTicks, roundTicks, type Scale, scaleOf } from "./scale.ts";
import { spreadLabels } from "./spread-labels.ts";

export interface CurveChartProps {
  /** One sentence: what it shows, with its numbers. */
  label: string;
  steps: readonly number[];
  /** Each as long as `steps`, null where nothing was logged. All share one scale. */
  lines: readonly CurveLine[];
  xScale?: "linear" | "log";
  /** Some steps were left out between the extremes of each stretch. */
  thinned?: boolean;
  /** Vermilion wedges with a line down to the axis. */
  alarms?: readonly { step: number; kind: string }[];
  /** Thin upright lines with their words: the checkpoint that was kept. */
  marks?: readonly { step: number; says: string }[];
  /** From here on the space between proxy and gold is tinted. */
  divergedAt?: number | null;
  height?: number;
  caption?: ReactNode;
  table?: ReactNode;
  /** A stretch of steps was dragged over. */
  onZoom?: (from: number, to: number) => void;
}

/** Points up to which each is marked beside the line. */
const MARKED_POINTS = 60;
const LABEL_WIDTH = 158;
/** Pixels of a letter of a label, about. */
const LETTER = 6.4;

/** A training curve: every line on one scale, lines that stop where nothing was logged, labels at their ends. */
export function CurveChart(props: CurveChartProps): ReactNode {
  const { label, steps, lines, height = 310, caption, table } = props;
  if (steps.length === 0) return null;
  return (
    <Chart
      label={label}
      height={(width) => (width < 560 ? Math.round(height * 0.85) : height)}
      caption={caption}
      table={table}
      points={(width, tall) => pointsOf(steps, lines, planeOf(props, width, tall))}
    >
      {(width, tall) => <Curves {...props} plane={planeOf(props, width, tall)} width={width} />}
    </Chart>
  );
}

interface Plane {
  x: Scale;
  y: Scale;
  ticks: { x: number[]; y: number[] };
  area: { left: number; right: number; top: number; bottom: number };
  narrow: boolean;
}

function planeOf(
  { steps, lines, xScale = "linear", alarms = [] }: CurveChartProps,
  width: number,
  height: number,
): Plane {
  const narrow = width < 560;
  // Where labels stand in a row over the drawing, alarms need a row of their own.
  const lanes = kindsOf(alarms).length;
  const top = (narrow && lanes > 0 ? 46 : 28) + LANE * Math.max(0, lanes - 1);
  const area = { left: 46, right: width - (narrow ? 10 : LABEL_WIDTH), top, bottom: height - 26 };
  const log = xScale === "log";
  const shown = log ? steps.filter((step) => step > 0) : steps;
  const ends = [shown[0] ?? 1, shown.at(-1) ?? 1] as const;
  const values = lines.flatMap((line) => line.values.filter((value) => typeof value === "number"));
  const yDomain = domainOf(values);
  return {
    x: (log ? logScaleOf : scaleOf)(ends, [area.left, area.right]),
    y: scaleOf(yDomain, [area.bottom, area.top]),
    ticks: {
      // A step is a whole number, also on a curve of three of them.
      x: (log ? logTicks(ends) : roundTicks(ends, narrow ? 3 : 5)).filter(Number.isInteger),
      y: roundTicks(yDomain, 4),
    },
    area,
    narrow,
  };
}

function pointsOf(steps: readonly number[], lines: readonly CurveLine[], { x, y }: Plane): ChartPoint[] {
  const first = lines.find(({ look }) => look === "gold") ?? lines[0];
  return steps.flatMap((step, place) => {
    const at = x(step);
    if (!Number.isFinite(at) || lines.every(({ values }) => typeof values[place] !== "number")) return [];
    const value = first?.values[place];
    return [{ x: at, y: typeof value === "number" ? y(value) : null, says: stepReading(step, place, lines) }];
  });
}

function Curves({
  steps,
  lines,
  thinned = false,
  alarms = [],
  marks = [],
  divergedAt = null,
  onZoom,
  plane,
}: CurveChartProps & { plane: Plane; width: number }): ReactNode {
  const { x, y, ticks, area, narrow } = plane;
  const [proxy, gold] = [lines.find(({ look }) => look === "proxy"), lines.find(({ look }) => look === "gold")];
  return (
    <>
      {ticks.y.map((tick) => (
        <g key={tick}>
          <line className="grid" x1={area.left} x2={area.right} y1={y(tick)} y2={y(tick)} />
          <text className="end" x={area.left - 6} y={y(tick) + 4.5}>
            {number(tick)}
          </text>
        </g>
      ))}
      <line className="axis" x1={area.left} x2={area.right} y1={area.bottom} y2={area.bottom} />
      {ticks.x.map((tick, place) => (
        <text key={tick} className={anchorOf(x(tick), area)} x={x(tick)} y={area.bottom + 18}>
          {place === 0 ? `step ${whole(tick)}` : whole(tick)}
        </text>
      ))}
      {divergedAt !== null && proxy !== undefined && gold !== undefined && (
        <path className="area c-bad" d={divergence(steps, proxy, gold, divergedAt, plane)} />
      )}
      {lines.map((line) => (
        <Curve key={line.name} line={line} steps={steps} thinned={thinned} plane={plane} />
      ))}
      <EndLabels steps={steps} lines={lines} plane={plane} />
      <Alarms alarms={alarms} plane={plane} />
      {marks.map(({ step, says }, place) => {
        const at = x(step);
        const before = at > (area.left + area.right) / 2;
        return (
          <g key={step}>
            <line className="lead-line" x1={at} x2={at} y1={area.top} y2={area.bottom} />
            <text
              className={`${before ? "end " : ""}t-ink halo`}
              x={at + (before ? -5 : 5)}
              y={area.bottom - 8 - 16 * place}
            >
              {says}
            </text>
          </g>
        );
      })}
      {!narrow && <CurvePointer steps={steps} lines={lines} x={x} area={area} onZoom={onZoom} />}
    </>
  );
}

function anchorOf(at: number, { left, right }: Plane["area"]): string | undefined {
  if (at < left + 24) return undefined;
  return at > right - 24 ? "end" : "mid";
}

function divergence(
  steps: readonly number[],
  proxy: CurveLine,
  gold: CurveLine,
  divergedAt: number,
  { x, y }: Plane,
): string {
  const from = steps.findIndex((step) => step >= divergedAt);
  if (from === -1) return "";
  return areaPath(steps.slice(from), proxy.values.slice(from), gold.values.slice(from), { x, y });
}

const STROKES: Record<CurveLook, string> = {
  raw: "raw",
  smooth: "line c-ink",
  proxy: "line dashed c-ink",
  gold: "line c-accent",
  plain: "line c-rest",
};

interface CurveProps {
  line: CurveLine;
  steps: readonly number[];
  thinned: boolean;
  plane: Plane;
}

function Curve({ line: { name, values, look }, steps, thinned, plane: { x, y, area } }: CurveProps): ReactNode {
  const gaps = gapsOf(steps, values, { thinned });
  const known = steps.flatMap((step, place) => {
    const [at, value] = [x(step), values[place]];
    return typeof value === "number" && Number.isFinite(at) ? [{ step, at, height: y(value) }] : [];
  });
  const marked = known.length <= MARKED_POINTS && look !== "raw" && look !== "smooth";
  return (
    <g className={look === "gold" ? "c-accent" : "c-ink"}>
      <path className={STROKES[look]} d={curvePath(steps, values, { x, y, gaps })} />
      {(marked || known.length === 1) &&
        known.map(({ step, at, height }) =>
          look === "proxy" ? (
            <rect key={step} className="pt" x={at - 3} y={height - 3} width="6" height="6" />
          ) : (
            <circle key={step} className="pt" cx={at} cy={height} r="3.2" />
          ),
        )}
      {look === "raw" && longest(gaps, x, area) !== null && (
        <GapNote gap={longest(gaps, x, area)!} name={name} x={x} area={area} />
      )}
    </g>
  );
}

/** The widest gap that a reader can see: it is the one that is named. */
function longest(gaps: readonly Gap[], x: Scale, { left, right }: Plane["area"]): Gap | null {
  const wide = gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0];
  return wide !== undefined && x(wide.to) - x(wide.from) > Math.max(4, (right - left) / 200) ? wide : null;
}

function GapNote({ gap, name, x, area }: { gap: Gap; name: string; x: Scale; area: Plane["area"] }): ReactNode {
  const at = (x(gap.from) + x(gap.to)) / 2;
  return (
    <g>
      <line className="lead-line dotted" x1={at} x2={at} y1={area.bottom - 22} y2={area.bottom} />
      <text
        className={`${at < area.left + 110 ? "" : at > area.right - 110 ? "end " : "mid "}t-f t-i halo`}
        x={at < area.left + 110 ? area.left + 4 : at > area.right - 110 ? area.right - 4 : at}
        y={area.bottom - 26}
      >
        {whole(gap.to - gap.from - 1)} steps without {name}
      </text>
    </g>
  );
}

function EndLabels({
  steps,
  lines,
  plane: { x, y, area, narrow },
}: {
  steps: readonly number[];
  lines: readonly CurveLine[];
  plane: Plane;
}): ReactNode {
  const ends = lines.flatMap((line) => {
    const last = lastOf(steps, line.values);
    return last === null ? [] : [{ ...line, ...last }];
  });
  const places = spreadLabels(
    ends.map(({ value }) => y(value) + 5),
    { apart: 17, low: area.top + 5, high: area.bottom },
  );
  // Where the labels have no margin they stand in a row over the drawing.
  if (narrow) {
    const letters = ends.reduce((sum, { name }) => sum + name.length + 7, 0);
    const fit = letters * LETTER > area.right - area.left ? ends.filter(({ look }) => look !== "raw") : ends;
    return (
      <text x={area.left} y="13">
        {fit.map(({ name, value, look }, place) => (
          <tspan key={name} className={look === "gold" ? "c-accent t-c" : "t-ink"} dx={place === 0 ? 0 : 12}>
            {name} {shortNumber(value)}
          </tspan>
        ))}
      </text>
    );
  }
  return ends.map(({ name, value, look, step }, place) => (
    <g key={name} className={look === "gold" ? "c-accent" : "c-ink"}>
      <text
        className={look === "gold" ? "t-c t-d t-b halo" : look === "raw" ? "t-f" : "t-ink t-d halo"}
        x={Math.min(area.right, x(step)) + 10}
        y={places[place]}
      >
        {name} {shortNumber(value)}
      </text>
    </g>
  ));
}

/** Height of the lane of one kind of alarm, pixels. */
const LANE = 18;

/** Wedges on a lane per kind, named once, each with a line down to the axis. */
function Alarms({
  alarms,
  plane: { x, area },
}: {
  alarms: readonly { step: number; kind: string }[];
  plane: Plane;
}): ReactNode {
  const kinds = kindsOf(alarms);
  return (
    <g className="c-bad">
      {kinds.map((kind, lane) => {
        const places = alarms
          .filter((alarm) => alarm.kind === kind)
          .map(({ step }) => x(step))
          .filter(Number.isFinite);
        if (places.length === 0) return null;
        const y = area.top - 12 - LANE * (kinds.length - 1 - lane);
        const first = Math.min(...places);
        const before = first > (area.left + area.right) / 2;
        return (
          <g key={kind}>
            {places.map((at) => (
              <g key={at}>
                <line className="flagline soft" x1={at} x2={at} y1={y + 8} y2={area.bottom} />
                <path className="flag" d={`M${at - 5} ${y}h10l-5 8z`} />
              </g>
            ))}
            <text
              className={`${before ? "end " : ""}t-c halo`}
              x={before ? first - 10 : Math.max(...places) + 10}
              y={y + 8}
            >
              {kind}
              {places.length > 1 && `, ${whole(places.length)} times`}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** Kinds of alarms, the one that came first on top. */
function kindsOf(alarms: readonly { step: number; kind: string }[]): string[] {
  return [...new Set(alarms.toSorted((a, b) => a.step - b.step).map(({ kind }) => kind))];
}

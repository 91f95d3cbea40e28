import { type ReactNode, useMemo, useRef } from "react";
import { number, shortNumber, whole } from "../numbers.ts";
import { useNear, useWidth } from "./Chart.tsx";
import { curvePath, gapsOf, lastOf, smoothed } from "./curve-path.ts";
import { type ChartPoint, PointReader } from "./PointReader.tsx";
import { domainOf, logScaleOf, type Scale, scaleOf } from "./scale.ts";

export interface MiniCurveProps {
  name: string;
  steps: readonly number[];
  values: readonly (number | null)[];
  xScale?: "linear" | "log";
  thinned?: boolean;
  /** Share of what came before that a smoothed value weighs; 0 draws the raw line alone. */
  smoothing?: number;
}

const HEIGHT = 116;
/** Room at the right for the last value. */
const LABEL = 58;

/** One series on a scale of its own, small: its shape, where it ends, and where nothing was logged. */
export function MiniCurve({
  name,
  steps,
  values,
  xScale = "linear",
  thinned = false,
  smoothing = 0,
}: MiniCurveProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const near = useNear(box);
  const last = lastOf(steps, values);
  const drawing = useMemo(() => {
    if (width === 0) return null;
    const right = width - LABEL;
    const shown = xScale === "log" ? steps.filter((step) => step > 0) : steps;
    const ends = [shown[0] ?? 1, shown.at(-1) ?? 1] as const;
    const x = (xScale === "log" ? logScaleOf : scaleOf)(ends, [0, right]);
    const domain = domainOf(values.filter((value) => typeof value === "number"));
    const y = scaleOf(domain, [98, 26]);
    const gaps = gapsOf(steps, values, { thinned });
    return {
      ...{ right, ends, x, y, zero: domain[0] < 0 && domain[1] > 0 ? y(0) : null },
      raw: curvePath(steps, values, { x, y, gaps }),
      smooth: smoothing > 0 ? curvePath(steps, smoothed(values, smoothing), { x, y, gaps }) : null,
    };
  }, [width, steps, values, xScale, thinned, smoothing]);
  const label = `${name}: ${last === null ? "nothing logged" : `last value ${number(last.value)} at step ${whole(last.step)}`}`;
  return (
    <div ref={box} className="drawing" style={{ minHeight: HEIGHT }}>
      {near && drawing !== null && (
        <svg viewBox={`0 0 ${width} ${HEIGHT}`} width={width} height={HEIGHT} role="img" aria-label={label}>
          <text className="t-ink" x="0" y="11">
            {name.length > 26 ? `${name.slice(0, 22)}…+${name.length - 22}` : name}
          </text>
          <line className="axis" x1="0" x2={drawing.right} y1="98" y2="98" />
          {drawing.zero !== null && (
            <line className="grid" x1="0" x2={drawing.right} y1={drawing.zero} y2={drawing.zero} />
          )}
          <path className="raw" d={drawing.raw} />
          {drawing.smooth !== null && <path className="line c-ink" d={drawing.smooth} />}
          <text className="t-f" x="0" y="112">
            {whole(drawing.ends[0])}
          </text>
          <text className="end t-f" x={drawing.right} y="112">
            {whole(drawing.ends[1])}
          </text>
          {last !== null && (
            <text className="t-ink" x={drawing.right + 5} y={drawing.y(last.value) + 4.5}>
              {shortNumber(last.value)}
            </text>
          )}
        </svg>
      )}
      {near && drawing !== null && last !== null && (
        <PointReader
          label={`Points of: ${label}`}
          points={() => pointsOf(steps, values, drawing)}
          width={width}
          height={HEIGHT}
        />
      )}
    </div>
  );
}

/** Where something was logged, step by step; what has no place on a logarithmic axis is left out. */
function pointsOf(
  steps: readonly number[],
  values: readonly (number | null)[],
  { x, y }: { x: Scale; y: Scale },
): ChartPoint[] {
  return steps.flatMap((step, at) => {
    const value = values[at];
    if (value == null || Number.isNaN(x(step))) return [];
    return [{ x: x(step), y: y(value), says: `step ${whole(step)}: ${number(value)}` }];
  });
}

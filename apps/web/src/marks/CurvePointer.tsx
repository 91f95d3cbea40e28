import { type PointerEvent, type ReactNode, useState } from "react";
import { number } from "../numbers.ts";
import type { CurveLine } from "./curve-line.ts";
import type { Scale } from "./scale.ts";

export interface CurvePointerProps {
  steps: readonly number[];
  lines: readonly CurveLine[];
  x: Scale;
  area: { left: number; right: number; top: number; bottom: number };
  onZoom?: ((from: number, to: number) => void) | undefined;
}

/** What stands at a step, in words: "step 240: proxy 0.82, gold 0.78". */
export function stepReading(step: number, place: number, lines: readonly CurveLine[]): string {
  const parts = lines.flatMap(({ name, values }) => {
    const value = values[place];
    return typeof value === "number" ? [`${name} ${number(value)}`] : [];
  });
  return `step ${number(step)}: ${parts.length === 0 ? "nothing logged" : parts.join(", ")}`;
}

/** Follows the pointer over a curve and reads the step under it; a stretch that is dragged over is looked at closer. */
export function CurvePointer({ steps, lines, x, area, onZoom }: CurvePointerProps): ReactNode {
  const [at, setAt] = useState<number | null>(null);
  const [from, setFrom] = useState<number | null>(null);
  const stepAt = (event: PointerEvent<SVGElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const pixel = area.left + ((event.clientX - left) / (width || 1)) * (area.right - area.left);
    let best = 0;
    for (let place = 1; place < steps.length; place++) {
      const distance = Math.abs(x(steps[place]!) - pixel);
      if (!(distance >= Math.abs(x(steps[best]!) - pixel))) best = place;
    }
    return best;
  };
  const end = (event: PointerEvent<SVGElement>): void => {
    const to = stepAt(event);
    if (from !== null && onZoom !== undefined && Math.abs(to - from) > 1) {
      const [low, high] = [Math.min(from, to), Math.max(from, to)];
      onZoom(steps[low]!, steps[high]!);
    }
    setFrom(null);
  };
  const pixel = at === null ? null : x(steps[at]!);
  const start = from === null ? null : x(steps[from]!);
  return (
    <g className="pointer">
      {pixel !== null && Number.isFinite(pixel) && (
        <g>
          {start !== null && (
            <rect
              className="brush"
              x={Math.min(start, pixel)}
              width={Math.abs(pixel - start)}
              y={area.top}
              height={area.bottom - area.top}
            />
          )}
          <line className="lead-line" x1={pixel} x2={pixel} y1={area.top} y2={area.bottom} />
          <text
            className={`t-ink halo${pixel > (area.left + area.right) / 2 ? " end" : ""}`}
            x={pixel + (pixel > (area.left + area.right) / 2 ? -8 : 8)}
            y={area.top + 12}
          >
            {stepReading(steps[at!]!, at!, lines)}
          </text>
        </g>
      )}
      <rect
        className="catch"
        x={area.left}
        y={area.top}
        width={Math.max(0, area.right - area.left)}
        height={Math.max(0, area.bottom - area.top)}
        onPointerMove={(event) => setAt(stepAt(event))}
        onPointerLeave={() => {
          setAt(null);
          setFrom(null);
        }}
        onPointerDown={(event) => {
          if (onZoom !== undefined && event.pointerType === "mouse" && event.button === 0) setFrom(stepAt(event));
        }}
        onPointerUp={end}
      />
    </g>
  );
}

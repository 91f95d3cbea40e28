import { type KeyboardEvent, type ReactNode, useState } from "react";

/** One point of a drawing, with its numbers as they are read out. */
export interface ChartPoint {
  x: number;
  /** Null where nothing stands, but something is said. */
  y: number | null;
  says: string;
}

const NONE: readonly ChartPoint[] = [];

export interface PointReaderProps {
  label: string;
  /** Made when somebody begins to read: a curve has thousands. */
  points: () => readonly ChartPoint[];
  height: number;
  width: number;
}

/**
 * Reads a drawing point by point: arrows go to the next, Page Up and Page Down a tenth on, Home and End to the ends.
 * What it says stands over the drawing and is read out.
 */
export function PointReader({ label, points: make, width, height }: PointReaderProps): ReactNode {
  const [at, setAt] = useState<number | null>(null);
  const points = at === null ? NONE : make();
  const here = at === null ? undefined : points[Math.min(at, points.length - 1)];
  const onKeyDown = (event: KeyboardEvent): void => {
    if (points.length === 0) return;
    const now = Math.min(at ?? points.length - 1, points.length - 1);
    const tenth = Math.max(1, Math.round(points.length / 10));
    const next = {
      ...{ ArrowRight: now + 1, ArrowUp: now + 1, ArrowLeft: now - 1, ArrowDown: now - 1 },
      ...{ PageUp: now + tenth, PageDown: now - tenth, Home: 0, End: points.length - 1 },
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(points.length - 1, next)));
  };
  return (
    <div
      className="reader"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={Math.max(1, points.length)}
      aria-valuenow={at === null ? 1 : Math.min(at, points.length - 1) + 1}
      aria-valuetext={here?.says ?? "Arrow keys read the points"}
      onKeyDown={onKeyDown}
      onFocus={() => setAt((before) => before ?? make().length - 1)}
      onBlur={() => setAt(null)}
    >
      {here !== undefined && (
        <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
          <line className="lead-line" x1={here.x} x2={here.x} y1="0" y2={height} />
          {here.y !== null && <circle className="at" cx={here.x} cy={here.y} r="6" />}
          <text
            className={`t-ink halo${here.x > width / 2 ? " end" : ""}`}
            x={here.x + (here.x > width / 2 ? -8 : 8)}
            y="12"
          >
            {here.says}
          </text>
        </svg>
      )}
    </div>
  );
}

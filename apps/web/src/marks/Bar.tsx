import type { ReactNode } from "react";
import type { Role } from "./role.ts";

export interface BarProps {
  role: Role;
  /** Where the estimate stands. */
  value: number;
  /** Ends of the interval along the same axis; null draws the dot alone. */
  low: number | null;
  high: number | null;
  /** Where it stands on the other axis. */
  across: number;
  /** Half of the bar's thickness. */
  half?: number;
  radius?: number;
  /** Hollow dot and dotted bar: not a claim, or another test. */
  open?: boolean;
  /** Along x, or up y. */
  upright?: boolean;
}

/** An interval: a tinted bar with full-coloured ends, and the estimate as a dot on it. All numbers are pixels. */
export function Bar({
  role,
  value,
  low,
  high,
  across,
  half = 7,
  radius = 4.5,
  open = false,
  upright = false,
}: BarProps): ReactNode {
  const spans = low !== null && high !== null && Math.abs(high - low) > 0.5;
  const [from, to] = spans ? [Math.min(low, high), Math.max(low, high)] : [value, value];
  const rect = upright
    ? { x: across - half, y: from, width: 2 * half, height: to - from }
    : { x: from, y: across - half, width: to - from, height: 2 * half };
  const cap = (end: number): Record<"x1" | "x2" | "y1" | "y2", number> =>
    upright
      ? { x1: across - half, x2: across + half, y1: end, y2: end }
      : { x1: end, x2: end, y1: across - half, y2: across + half };
  return (
    <g className={`c-${role}${open ? " open" : ""}`}>
      {spans && (
        <>
          <rect className="iv" {...rect} />
          <line className="cap" {...cap(from)} />
          <line className="cap" {...cap(to)} />
        </>
      )}
      <circle className="pt" cx={upright ? across : value} cy={upright ? value : across} r={radius} />
    </g>
  );
}

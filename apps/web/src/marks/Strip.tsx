import type { ReactNode } from "react";
import type { Role } from "./role.ts";

interface StripReading {
  value: number;
  low: number | null;
  high: number | null;
  role: Role;
  /** Hollow: not a claim. */
  open?: boolean;
  /** Informs beside the one that decides. */
  thin?: boolean;
}

export interface StripProps {
  /** One sentence with the numbers. */
  label: string;
  /** The same for every row of a table, so that the table is the chart. */
  domain: readonly [low: number, high: number];
  /** None draws the dotted line of what is not measured. */
  readings: readonly StripReading[];
  /** What re-running alone moves. */
  band?: readonly [low: number, high: number] | null;
  /** Where the zero line stands; null for a scale of levels. */
  zero?: number | null;
  /** Upright line of a threshold. */
  threshold?: number | null;
}

/** The mark of one row of a table: an interval on a scale that all rows share, placed in percent so that it fits any width. */
export function Strip({ label, domain, readings, band = null, zero = 0, threshold = null }: StripProps): ReactNode {
  const at = (value: number): number => (100 * (value - domain[0])) / (domain[1] - domain[0] || 1);
  return (
    <svg className="strip" role="img" aria-label={label}>
      {band !== null && (
        <>
          <rect className="band" x={`${at(band[0])}%`} y="0" width={`${at(band[1]) - at(band[0])}%`} height="100%" />
          {band.map((edge) => (
            <line key={edge} className="edge" x1={`${at(edge)}%`} x2={`${at(edge)}%`} y1="0" y2="100%" />
          ))}
        </>
      )}
      {zero !== null && <line className="zero" x1={`${at(zero)}%`} x2={`${at(zero)}%`} y1="0" y2="100%" />}
      {threshold !== null && (
        <line className="zero" x1={`${at(threshold)}%`} x2={`${at(threshold)}%`} y1="0" y2="100%" />
      )}
      <svg y="50%" overflow="visible" aria-hidden="true">
        {readings.length === 0 && <line className="nomeasure" x1="0" x2="100%" y1="0" y2="0" />}
        {readings.map((reading, index) => (
          <StripMark key={index} {...reading} at={at} y={readings.length === 1 ? 0 : -6 + 12 * index} />
        ))}
      </svg>
    </svg>
  );
}

function StripMark({
  value,
  low,
  high,
  role,
  open = false,
  thin = false,
  at,
  y,
}: StripReading & { at: (value: number) => number; y: number }): ReactNode {
  const half = thin ? 3 : 5;
  return (
    <g className={`c-${role}${open ? " open" : ""}`}>
      {low !== null && high !== null && high > low && (
        <>
          <rect className="iv" x={`${at(low)}%`} y={y - half} width={`${at(high) - at(low)}%`} height={2 * half} />
          {[low, high].map((end) => (
            <line key={end} className="cap" x1={`${at(end)}%`} x2={`${at(end)}%`} y1={y - half} y2={y + half} />
          ))}
        </>
      )}
      <circle className="pt" cx={`${at(value)}%`} cy={y} r={thin ? 3 : 4} />
    </g>
  );
}

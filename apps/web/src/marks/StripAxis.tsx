import type { ReactNode } from "react";
import { change } from "../numbers.ts";
import { roundTicks } from "./scale.ts";

export interface StripAxisProps {
  domain: readonly [low: number, high: number];
  /** What stands at zero instead of 0: the version that all are read against. */
  zero?: string;
}

/** The axis over a column of strips: round values, in the head of the table. */
export function StripAxis({ domain, zero = "0" }: StripAxisProps): ReactNode {
  const at = (value: number): number => (100 * (value - domain[0])) / (domain[1] - domain[0] || 1);
  return (
    <svg className="strip" aria-hidden="true">
      <svg y="50%" overflow="visible" aria-hidden="true">
        {roundTicks(domain, 4).map((tick) => (
          <text key={tick} className="mid" x={`${at(tick)}%`} y="5">
            {tick === 0 ? zero : change(tick).replace(/[.,]0$/, "")}
          </text>
        ))}
      </svg>
    </svg>
  );
}

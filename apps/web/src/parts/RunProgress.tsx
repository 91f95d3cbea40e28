import type { ReactNode } from "react";
import { age, duration, whole } from "../numbers.ts";

export interface RunProgressProps {
  /** Whose: for who reads by ear. */
  name: string;
  step: number | null;
  /** Null when nobody said how many there will be. */
  total: number | null;
  /** When the last point came. */
  at: string | null;
  /** Seconds that are left, where they can be told. */
  secondsLeft?: number | null;
}

/** How far a running run is, and how old its last word is. */
export function RunProgress({ name, step, total, at, secondsLeft = null }: RunProgressProps): ReactNode {
  const known = step !== null && total !== null && total > 0;
  return (
    <div className="progress">
      <progress aria-label={`Progress of ${name}`} {...(known ? { value: Math.min(step, total), max: total } : {})} />
      <p className="small">
        {step === null ? "No step is logged yet" : `Step ${whole(step)}`}
        {step !== null && (total === null ? ", of how many nobody said" : ` of ${whole(total)}`)}
        {secondsLeft !== null && `, about ${duration(secondsLeft)} left`}
        {at !== null && <span className="quiet">; last heard {age(at)}</span>}
      </p>
    </div>
  );
}

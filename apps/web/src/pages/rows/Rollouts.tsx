import type { ReactNode } from "react";

/** More rollouts than that are a count. */
const DRAWN = 12;

/** How every rollout of a task was graded, in order: a filled square passed, a hollow one failed. */
export function Rollouts({ graded }: { graded: readonly boolean[] }): ReactNode {
  const passed = graded.filter(Boolean).length;
  if (graded.length > DRAWN) {
    return (
      <span className="note">
        {passed} of {graded.length}
      </span>
    );
  }
  const width = 10 * graded.length - 2;
  return (
    <svg
      className="ks"
      viewBox={`0 0 ${width} 10`}
      style={{ width: `${width / 16}rem` }}
      role="img"
      aria-label={`${passed} of ${graded.length} rollouts passed`}
    >
      {graded.map((ok, index) =>
        ok ? (
          <rect key={index} className="k1" x={10 * index} y="1" width="8" height="8" />
        ) : (
          <rect key={index} className="k0" x={10 * index + 0.6} y="1.6" width="6.8" height="6.8" />
        ),
      )}
    </svg>
  );
}

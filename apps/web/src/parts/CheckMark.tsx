import type { ReactNode } from "react";

const SHAPES = {
  ok: { path: "M1 5.6 3.8 8.4 9 1.6", className: "chk" },
  failing: { path: "M1.4 1.4 8.6 8.6M8.6 1.4 1.4 8.6", className: "chk no" },
  open: { path: "M1.5 5h7", className: "chk" },
  warning: { path: "M5 1v5M5 8v1.4", className: "chk wa" },
} as const;

export type CheckState = keyof typeof SHAPES;

/** Tick, cross, dash or exclamation mark. Its word is read aloud, and stands beside it where it is not `hidden`. */
export function CheckMark({ state, hidden = false }: { state: CheckState; hidden?: boolean }): ReactNode {
  const { path, className } = SHAPES[state];
  return hidden ? (
    <svg className={className} viewBox="0 0 10 10" aria-hidden="true">
      <path d={path} />
    </svg>
  ) : (
    <svg className={className} viewBox="0 0 10 10" role="img" aria-label={state}>
      <path d={path} />
    </svg>
  );
}

/** Of a check that holds, fails or cannot be measured yet. */
export function stateOf(ok: boolean | null): CheckState {
  return ok === null ? "open" : ok ? "ok" : "failing";
}

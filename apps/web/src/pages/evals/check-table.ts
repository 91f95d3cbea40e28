import type { EvalHealth } from "@while/platform-client/contract";

/** Heads of all checks of all behaviors as a file: a line for each check. */
export const CHECK_COLUMNS = [
  "behavior",
  "check",
  "holds",
  "value",
  "why",
  "action",
  "rule",
  "source",
  "call",
] as const;

/** The checks of all behaviors as lines of that table; one that cannot be measured yet is neither true nor false. */
export function checkCells(evals: readonly EvalHealth[]): (string | null)[][] {
  return evals.flatMap(({ name, checks }) =>
    checks.map(({ label, ok, value, why, action, rule, cite, fix }) => [
      ...[name, label, ok === null ? null : String(ok), value],
      ...[why, action, rule, cite, fix],
    ]),
  );
}

import type { Behavior, EvalCheck } from "@while/platform-client/contract";

/** Why a check cannot be measured yet, in words; null for one that is. */
export function openWord({ key, ok, value }: EvalCheck, behavior: Behavior | undefined): string | null {
  if (ok !== null) return null;
  if (key !== "length") return value;
  return behavior?.gradedBy === "program" ? "does not apply to a program" : "needs a measured judge";
}

/** The short form of a value for a cell: "n=40 · resolves ≥ 13.9 pts" is "n=40". */
export function shortValue({ value }: Pick<EvalCheck, "value">): string {
  return value.split(" · ", 1)[0]!;
}

/** Points that the test can tell apart, as its check has them; null without intervals. */
export function resolvesOf(checks: readonly EvalCheck[]): string | null {
  const size = checks.find(({ key }) => key === "size")?.value ?? "";
  return /resolves ≥ (\S+) pts/.exec(size)?.[1] ?? null;
}

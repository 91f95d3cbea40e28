import { type Row, taskKey } from "@while/schema";
import { SimulateError } from "../simulate-error.ts";

/** Rows with a verdict, by task. */
export function gradedPerTask(rows: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    if (typeof row.reward !== "number") continue;
    const key = taskKey(row);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

export interface GradedVariant {
  label: string;
  graded: ReadonlyMap<string, number>;
}

/**
 * Two means over different rows are no comparison.
 *
 * @throws SimulateError `sweep_refused`, with both counts and the first ask that differs
 */
export function refuseUnequal(first: GradedVariant, other: GradedVariant): void {
  const keys = new Set([...first.graded.keys(), ...other.graded.keys()]);
  const differing = [...keys].filter((key) => (first.graded.get(key) ?? 0) !== (other.graded.get(key) ?? 0));
  if (differing.length === 0) return;
  const [ask] = differing as [string];
  const told = ({ label, graded }: GradedVariant) => `${label} has ${sum(graded)} graded rows of ${graded.size} asks`;
  const here = `${first.graded.get(ask) ?? 0} and ${other.graded.get(ask) ?? 0}`;
  const counted = differing.length === 1 ? "1 ask differs" : `${differing.length} asks differ`;
  throw new SimulateError(
    "sweep_refused",
    `${told(other)}, and ${told(first)}: ${counted}, the first is ${ask} (${here}).`,
    "A judge that fails leaves a row without a verdict, and a rollout that is lost leaves none: mend that and sweep again.",
  );
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, n) => total + n, 0);
}

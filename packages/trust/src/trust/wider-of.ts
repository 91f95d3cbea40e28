import type { Interval } from "@while/stats";
import type { RuleSet } from "./trust-rule.ts";

/** The interval over rows; by a rule that counts tasks both ends of it and of the one over tasks, whichever reach further. */
export function widerOf(overRows: Interval, overTasks: Interval | null, { clustered }: RuleSet): Interval {
  if (!clustered || overTasks === null) return overRows;
  return [Math.min(overRows[0], overTasks[0]), Math.max(overRows[1], overTasks[1])];
}

import { StatsError } from "../stats-error.ts";

/** @throws StatsError `bad_value` */
export function checkMargin(name: string, margin: number): void {
  if (margin > 0 && Number.isFinite(margin)) return;
  throw new StatsError(
    "bad_value",
    `${name} got the margin ${margin}.`,
    "Pass the largest change that would not matter, above 0: 0.05 for five points.",
  );
}

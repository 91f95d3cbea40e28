import type { RowsSummary } from "@while/platform-client/contract";
import { points, whole } from "../../numbers.ts";

/** How many of the rows failed, in one sentence. */
export function rowsLead({ n, failed }: Pick<RowsSummary, "n" | "failed">): string {
  if (failed === 0) return n === 1 ? "The one row passed." : `All ${whole(n)} rows passed.`;
  if (failed === n) return n === 1 ? "The one row failed." : `All ${whole(n)} rows failed.`;
  return `${whole(failed)} of ${whole(n)} rows failed.`;
}

/** More than that apart, a posted score and its rows do not say the same. */
const APART = 1;

export interface PostedAgainstRows {
  text: string;
  /** More than a point apart. */
  apart: boolean;
}

/** The score as it was posted against the share of its rows that passed, both in points. */
export function postedAgainstRows(
  posted: { score: number; ci?: number | null } | null,
  { n, passed }: Pick<RowsSummary, "n" | "passed">,
): PostedAgainstRows | null {
  if (posted === null || n === 0) return null;
  const share = (100 * passed) / n;
  const gap = Math.abs(posted.score - share);
  const score = `${points(posted.score)}${posted.ci == null ? ", without an interval" : ` ± ${points(posted.ci)}`}`;
  return { text: `Posted ${score}; the rows give ${points(share)}.`, apart: gap > APART };
}

/** `240 tasks × 4`; null where it does not come out even or nobody said how many tasks there are. */
export function tasksTimes(n: number, tasks: number | null | undefined): string | null {
  if (tasks == null || tasks === 0 || n % tasks !== 0) return null;
  return `${whole(tasks)} tasks × ${n / tasks}`;
}

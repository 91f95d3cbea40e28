import type { ScoredRun } from "./newest-scores.ts";

/** How far the count of replies may be from tasks times rollouts: some attempts end without an answer. */
const SLACK = 0.1;

/**
 * Why the cost of answering is priced from the wrong count. `replies` are answered task attempts, which is n × k and
 * neither tasks nor model calls: an agent of several turns that counts its calls looks many times cheaper than it is.
 * Null where a count is not there, or where it fits a score of the run.
 */
export function repliesDoubt({ record, evals }: Pick<ScoredRun, "record" | "evals">): string | null {
  const { replies, k } = record?.eval ?? {};
  if (typeof replies !== "number" || typeof k !== "number") return null;
  const held = record?.data?.nHoldout;
  const tasks = [...(evals ?? []).map(({ n }) => n), held].filter((n) => typeof n === "number" && n > 0) as number[];
  // One set of rollouts may be scored on several behaviors, or each behavior may have its own.
  const sum = (evals ?? []).reduce((total, { n }) => total + (n ?? 0), 0);
  const counts = [...new Set([...tasks, ...(sum > 0 ? [sum] : [])])].map((n) => n * k);
  if (counts.length === 0 || counts.some((count) => Math.abs(replies - count) <= SLACK * count)) return null;
  const nearest = counts.reduce((a, b) => (Math.abs(b - replies) < Math.abs(a - replies) ? b : a));
  return `${replies} replies, and ${nearest / k} tasks of ${k} rollouts are ${nearest}: replies are answered attempts, not tasks or model calls`;
}

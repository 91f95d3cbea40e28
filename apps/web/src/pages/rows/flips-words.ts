import { change, whole } from "../../numbers.ts";

/** Counts of rows that both versions answered. */
export interface FlipCounts {
  paired: number;
  unpairedBefore: number;
  unpairedAfter: number;
  fixed: number;
  broke: number;
  /** Exact McNemar test. */
  p: number | null;
}

/** What changed between the rows of two versions, in a sentence. */
export function flipsSentence(
  { paired, fixed, broke, p }: Pick<FlipCounts, "paired" | "fixed" | "broke" | "p">,
  { before, after }: { before: string; after: string },
): string {
  if (paired === 0) return `${after} and ${before} have no row in common.`;
  const test = p === null ? "" : `; exact McNemar p\u00a0${pWords(p)}`;
  return `Of ${whole(paired)} rows that both answered, ${whole(fixed)} failed under ${before} and pass under ${after}, ${whole(broke)} the other way round${test}.`;
}

/** Rows that only one side has cannot be paired. */
export function unpairedSentence(
  { unpairedBefore, unpairedAfter }: Pick<FlipCounts, "unpairedBefore" | "unpairedAfter">,
  { before, after }: { before: string; after: string },
): string | null {
  const said = [
    ...(unpairedBefore > 0 ? [`${whole(unpairedBefore)} rows only of ${before}`] : []),
    ...(unpairedAfter > 0 ? [`${whole(unpairedAfter)} only of ${after}`] : []),
  ];
  return said.length === 0
    ? null
    : `Left out, as the other side has no row of the same prompt and reference: ${said.join(", ")}.`;
}

/** The change paired by task, which is what may be concluded from. */
export function differenceSentence(
  difference: { tasks: number; delta: number | null; ci95: readonly [number, number] | null; p: number | null } | null,
): string | null {
  if (difference === null || difference.delta === null) return null;
  const { tasks, delta, ci95, p } = difference;
  const interval = ci95 === null ? "no interval" : `95% ${change(ci95[0])} to ${change(ci95[1])}`;
  const test = p === null ? "" : `, sign-flip p\u00a0${pWords(p)}`;
  return `Paired over ${whole(tasks)} ${tasks === 1 ? "task" : "tasks"}: ${change(delta)} points, ${interval}${test}.`;
}

function pWords(p: number): string {
  return p < 0.001 ? "<\u00a00.001" : `=\u00a0${p.toFixed(3)}`;
}

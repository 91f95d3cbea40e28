import { getFlips } from "@while/platform-client/contract";
import { useAnswer } from "../../api/use-answer.ts";
import type { Report } from "./report.ts";

/** The same change read task by task: it informs, and does not decide. */
export interface PairedReading {
  tasks: number;
  delta: number;
  low: number | null;
  high: number | null;
  p: number | null;
}

/** The paired reading of the verdict, where both versions posted their rows; null where they did not. */
export function usePaired({ dashboard, verdict, behavior, runs }: Report): PairedReading | null {
  const runOf = (version: string | null): string | null => {
    const id = dashboard.versions.find(({ v }) => v === version)?.run ?? null;
    const rows = runs.find((run) => run.id === id)?.evals.find((score) => score.behavior === behavior?.name)?.rows ?? 0;
    return rows > 0 ? id : null;
  };
  const [ours, theirs] = [runOf(verdict.candidate), runOf(verdict.serving)];
  const when = ours !== null && theirs !== null && ours !== theirs && verdict.kind !== "not_comparable";
  const flips = useAnswer(getFlips, {
    params: { id: ours ?? "", behavior: behavior?.name ?? "" },
    query: { against: theirs ?? "", limit: 1 },
    when,
  });
  const found = when ? (flips.data?.difference ?? null) : null;
  if (found === null || found.delta === null) return null;
  const [low, high] = found.ci95 ?? [null, null];
  return { tasks: found.tasks, delta: found.delta, low, high, p: found.p };
}

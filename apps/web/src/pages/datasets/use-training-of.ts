import { listRuns, type RunRow } from "@while/platform-client/contract";
import { useAnswer } from "../../api/use-answer.ts";

/** Runs that are looked through for the last one on each set. */
const NEWEST = 100;

/** The newest training run on each set, by the id of the set. */
export function useTrainingOf(): ReadonlyMap<string, RunRow> {
  const runs = useAnswer(listRuns, { query: { limit: NEWEST } });
  const newest = new Map<string, RunRow>();
  for (const run of runs.data?.runs ?? []) {
    // They come newest first: the first of a set is its last.
    if (run.datasetId != null && !newest.has(run.datasetId)) newest.set(run.datasetId, run);
  }
  return newest;
}

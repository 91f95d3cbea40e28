import type { Row } from "@while/schema";
import { type Observation, observe } from "../search/observation.ts";
import type { Search, SearchEnd, SearchRound } from "../search/search.ts";
import type { AllocatedRollout } from "./allocate.ts";
import { runPool } from "./run-pool.ts";

export interface RoundHooks {
  /** Rollouts of a task. */
  k: number;
  /** Most rollouts. */
  budget: number;
  concurrency: number;
  isStopped: () => boolean;
  /** Takes the tasks of a round into the plan, behind those that are there. */
  open: (round: SearchRound) => Promise<void>;
  /** One rollout of the plan; null when it is lost. */
  rollOut: (key: AllocatedRollout) => Promise<Row | null>;
}

/**
 * Carries a search out, round by round with a barrier between them; what a round showed is handed on in the order of the
 * plan, whatever came first. How the search ended; null when the run was stopped.
 */
export async function runRounds(search: Search, hooks: RoundHooks): Promise<SearchEnd | null> {
  const { k, budget, concurrency, isStopped, open, rollOut } = hooks;
  let left = budget;
  let first = 0;
  let seen: Observation[] = [];
  while (!isStopped()) {
    const round = await unlessStopped(search.next(seen), isStopped);
    if (round === null || isStopped()) return null;
    if (typeof round === "string") return round;
    await open(round);
    const wave = keysOf(round, first, k).slice(0, left);
    first += round.tasks.length;
    left -= wave.length;
    const found: Observation[] = [];
    await runPool(
      wave,
      concurrency,
      async (key) => {
        const row = await rollOut(key);
        if (row !== null) found.push(observe(row, key.task, key.rolloutIndex));
      },
      isStopped,
    );
    seen = found.sort((a, b) => a.task - b.task || a.rolloutIndex - b.rolloutIndex);
  }
  return null;
}

function keysOf({ tasks }: SearchRound, first: number, k: number): AllocatedRollout[] {
  return tasks.flatMap(({ parentFailureId, targetShape }, at) => {
    // What was asked because of what an earlier rollout showed says nothing of how often the agent passes.
    const allocation = parentFailureId === undefined && targetShape === undefined ? "fixed" : "continued";
    const key = { task: first + at, evalRun: 0, allocation } as const;
    return Array.from({ length: k }, (_, rolloutIndex): AllocatedRollout => ({ ...key, rolloutIndex }));
  });
}

/** A writer that is stopped with its run has not failed. */
async function unlessStopped<Result>(work: Promise<Result>, isStopped: () => boolean): Promise<Result | null> {
  try {
    return await work;
  } catch (error) {
    if (!isStopped()) throw error;
    return null;
  }
}

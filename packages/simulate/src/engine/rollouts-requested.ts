import type { RunPlan } from "./plan-run.ts";

export interface RequestedInput {
  pinned?: number;
  situations?: number;
  n?: number;
  k?: number;
  budget: number | null;
}

/** How many rollouts were asked for: what came back is measured against it. null when no number was. */
export function rolloutsRequested({ pinned, situations, n = 1, k = 1, budget }: RequestedInput): number | null {
  if (pinned !== undefined) return pinned * k;
  if (situations !== undefined) return Math.min(budget ?? Number.POSITIVE_INFINITY, situations * n * k);
  return budget;
}

/** How many rollouts all runs of a plan together were asked for. */
export function requestedOf({ tasks, topology, budget, isPinned, situations }: RunPlan, runs: number): number | null {
  const { n, k } = topology;
  if (isPinned) return Math.min(budget, tasks.length * k) * runs;
  const perRun = rolloutsRequested({ n, k, budget, ...(situations === null ? {} : { situations }) });
  return perRun === null ? null : Math.min(perRun, tasks.length * k) * runs;
}

/** The most that all runs of a search may come to; what it does come to is known when it is over. */
export function mostOfSearch({ topology, budget, situations }: RunPlan, runs: number): number {
  const { n, k } = topology;
  return (rolloutsRequested({ n, k, budget, ...(situations === null ? {} : { situations }) }) ?? budget) * runs;
}

import { roundHalfEven } from "@while/schema";
import { unitDraw } from "../draw.ts";
import type { PlannedTask } from "../engine/task.ts";
import { mixByTier, tierOf } from "../grid/mix-by-tier.ts";
import { acceptance, exploreSlots } from "./annealing.ts";
import type { Arm } from "./arms.ts";
import type { Picked } from "./prompt-space.ts";

/** A task that a round could run. */
export interface Candidate {
  task: PlannedTask;
  arm: Arm;
  family: string;
  /** Rows that its situation has. */
  copies: number;
}

export interface PickOptions {
  /** The candidates from the farthest on. */
  far: readonly Picked[];
  /** Tasks of each arm. */
  quota: Partial<Record<Arm, number>>;
  hardShare: number | undefined;
  /** Of the tasks with a cell, how many meet a failing tool; null takes them as they come. */
  nFaulty: number | null;
  /** Prompts of each family so far, and the most of them. */
  families: ReadonlyMap<string, number>;
  familyCap: number;
  seed: number;
  round: number;
}

/** Nearer than this to a prompt of the search, a prompt is a copy. */
const COPY = 0.05;

interface Ranked extends Candidate {
  novelty: number;
  rank: number;
}

/**
 * The tasks of one round out of several times as many candidates: the farthest from all that was asked and from one
 * another, situations with the fewest rows first, each arm its part, hard and failing ones in the shares asked for.
 * Then a few places, fewer with every round, are put to strangers that were not chosen.
 */
export function pickBatch(candidates: readonly Candidate[], options: PickOptions): PlannedTask[] {
  const { quota, hardShare, nFaulty, seed, round } = options;
  const ranked = rank(candidates, options);
  const chosen = new Set<Ranked>();
  const choose = (from: readonly Ranked[], n: number): void => {
    const free = from.filter((one) => !chosen.has(one));
    const mix = hardShare === undefined ? {} : { hardShare };
    for (const one of mixByTier(free, n, ({ task }) => tierOf(task.assignment ?? {}), mix)) chosen.add(one);
  };
  const nCells = (quota.structured ?? 0) + (quota.llm_guided ?? 0);
  let faultyLeft = nFaulty ?? 0;
  for (const arm of ["structured", "llm_guided"] as const) {
    const n = quota[arm] ?? 0;
    const own = ranked.filter((one) => one.arm === arm);
    if (nFaulty === null) {
      choose(own, n);
      continue;
    }
    const faulty = Math.min(faultyLeft, nCells === 0 ? 0 : Math.ceil((nFaulty * n) / nCells));
    const before = chosen.size;
    choose(own.filter(isFaulty), faulty);
    faultyLeft -= chosen.size - before;
    choose(
      own.filter((one) => !isFaulty(one)),
      n - (chosen.size - before),
    );
    // Where one kind runs out the other fills.
    choose(own, n - (chosen.size - before));
  }
  for (const one of ranked.filter(({ arm }) => arm === "open_ended").slice(0, quota.open_ended ?? 0)) chosen.add(one);
  anneal(ranked, chosen, seed, round);
  return [...chosen].sort((a, b) => a.rank - b.rank).map(({ task }) => task);
}

/** What may be chosen, situations with the fewest rows first and then the farthest; copies and full families are out. */
function rank(candidates: readonly Candidate[], { far, families, familyCap }: PickOptions): Ranked[] {
  const counts = new Map(families);
  const ranked: Ranked[] = [];
  for (const { at, novelty } of far) {
    const candidate = candidates[at]!;
    const n = counts.get(candidate.family) ?? 0;
    // A situation that nobody has seen is no copy, whatever its words have in common with others.
    const isUnseen = candidate.task.assignment !== null && candidate.copies === 0;
    if (novelty < COPY || (n >= familyCap && !isUnseen)) continue;
    counts.set(candidate.family, n + 1);
    ranked.push({ ...candidate, novelty: roundHalfEven(novelty, 6), rank: ranked.length });
  }
  return ranked.sort((a, b) => a.copies - b.copies || a.rank - b.rank).map((one, rank) => ({ ...one, rank }));
}

/** Puts strangers in the places of the least new, by draw; a failing one in that of a failing one, or shares would move. */
function anneal(ranked: readonly Ranked[], chosen: Set<Ranked>, seed: number, round: number): void {
  // Prompts without a cell are the strangest of all, and have a share of their own.
  const hasCell = ({ task }: Candidate): boolean => task.assignment !== null;
  const outside = ranked
    .filter((one) => !chosen.has(one) && hasCell(one))
    .sort((a, b) => b.novelty - a.novelty || a.rank - b.rank);
  const replaceable = [...chosen].filter(hasCell).sort((a, b) => a.novelty - b.novelty || b.rank - a.rank);
  for (const stranger of outside.slice(0, exploreSlots(chosen.size, round))) {
    if (unitDraw(`${seed}:${round}:anneal:${stranger.task.prompt}`) >= acceptance(stranger.novelty, round)) continue;
    const at = replaceable.findIndex((one) => isFaulty(one) === isFaulty(stranger) && one.novelty < stranger.novelty);
    if (at < 0) continue;
    chosen.delete(replaceable[at]!);
    replaceable.splice(at, 1);
    chosen.add({ ...stranger, task: { ...stranger.task, selectionReason: "annealed" } });
  }
}

function isFaulty({ task }: Candidate): boolean {
  return task.faults !== null;
}

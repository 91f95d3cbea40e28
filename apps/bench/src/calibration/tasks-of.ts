import { betaQuantile, binomialPmf, type MersenneTwister } from "@while/stats";
import type { Change, Difficulty, World } from "./worlds.ts";

/** Chances of the tasks of a world, before and after: as many equally likely tasks, so that the truth is their mean. */
export interface Tasks {
  before: Float64Array;
  after: Float64Array;
  /** Mean chance of either arm, and the difference. */
  meanBefore: number;
  meanAfter: number;
  delta: number;
}

/** Tasks of a world. A prime, so that the shares of a change fall on all difficulties alike. */
const N_TASKS = 4001;
/** 1 / golden ratio: its multiples spread evenly over [0, 1). */
const EVENLY = 0.6180339887498949;

const known = new Map<World, Tasks>();

export function tasksOf(world: World): Tasks {
  const tasks = known.get(world) ?? make(world);
  known.set(world, tasks);
  return tasks;
}

function make({ difficulty, change }: World): Tasks {
  const before = Float64Array.from({ length: N_TASKS }, (_, i) => quantile(difficulty, (i + 0.5) / N_TASKS));
  const after = before.map((chance, i) => changed(chance, change, (i * EVENLY) % 1));
  const [meanBefore, meanAfter] = [meanOf(before), meanOf(after)];
  return { before, after, meanBefore, meanAfter, delta: meanAfter - meanBefore };
}

function quantile(difficulty: Difficulty, share: number): number {
  if ("always" in difficulty) return difficulty.always;
  if ("uniform" in difficulty) return difficulty.uniform[0] + share * (difficulty.uniform[1] - difficulty.uniform[0]);
  if ("beta" in difficulty) return betaQuantile(share, ...difficulty.beta);
  let left = share;
  for (const [part, inner] of difficulty.mix) {
    if (left < part) return quantile(inner, left / part);
    left -= part;
  }
  return quantile(difficulty.mix.at(-1)![1], share);
}

function changed(chance: number, change: Change, at: number): number {
  if ("add" in change) return Math.min(1, chance + change.add);
  if ("logit" in change) {
    const odds = (chance / (1 - chance)) * Math.exp(change.logit);
    return odds === Number.POSITIVE_INFINITY ? 1 : odds / (1 + odds);
  }
  if ("jump" in change) {
    let left = at;
    for (const [share, to] of change.jump) {
      if (left < share) return to;
      left -= share;
    }
  }
  return chance;
}

function meanOf(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** Numbers of n tasks drawn from a world. */
export function drawTasks(rng: MersenneTwister, n: number): Uint32Array {
  return Uint32Array.from({ length: n }, () => rng.below(N_TASKS));
}

/** Passes among k rollouts of each of these tasks: one random number a task, held against its binomial distribution. */
export function drawPasses(rng: MersenneTwister, chances: Float64Array, tasks: Uint32Array, k: number): Uint32Array {
  const below = distributionsOf(chances, k);
  return tasks.map((task) => {
    const at = rng.random();
    let passed = 0;
    while (passed < k && at >= below[task * k + passed]!) passed++;
    return passed;
  });
}

const distributions = new Map<Float64Array, Map<number, Float64Array>>();

/** Chance of at most 0, 1, ... k - 1 passes, task by task. */
function distributionsOf(chances: Float64Array, k: number): Float64Array {
  const ofWorld = distributions.get(chances) ?? new Map<number, Float64Array>();
  distributions.set(chances, ofWorld);
  let below = ofWorld.get(k);
  if (below === undefined) {
    below = new Float64Array(chances.length * k);
    for (const [task, chance] of chances.entries()) {
      let total = 0;
      for (let passed = 0; passed < k; passed++) {
        total += binomialPmf(passed, k, chance);
        below[task * k + passed] = total;
      }
    }
    ofWorld.set(k, below);
  }
  return below;
}

/** Pass rate of each task. */
export function ratesOf(passed: Uint32Array, k: number): number[] {
  return Array.from(passed, (count) => count / k);
}

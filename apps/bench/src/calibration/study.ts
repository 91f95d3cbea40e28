import type { MersenneTwister } from "@while/stats";

/** One setting of a study: a world, a size, and whatever else is varied. */
export interface Cell {
  world: string;
  /** Tasks. */
  n: number;
  /** Rollouts a task. */
  k: number;
}

/** How often each thing happened, and in how many trials it was looked for. */
export type Hits = Record<string, [happened: number, trials: number]>;

export interface CellResult extends Cell {
  hits: Hits;
}

export interface Study {
  name: string;
  cells: readonly Cell[];
  /** Trials, as a share of those asked for: cheap ones take more, whole reports fewer. */
  effort: number;
  run: (cell: Cell, trials: number, rng: MersenneTwister) => Hits | Promise<Hits>;
  /** Markdown. */
  print: (results: readonly CellResult[]) => string;
}

/** Every world at every size and number of rollouts. */
export function grid(
  worlds: readonly { name: string }[],
  sizes: readonly number[],
  rollouts: readonly number[],
): Cell[] {
  return worlds.flatMap(({ name }) => rollouts.flatMap((k) => sizes.map((n) => ({ world: name, n, k }))));
}

export class Counter {
  readonly hits: Hits = {};

  count(name: string, happened: boolean): void {
    const [times, trials] = this.hits[name] ?? [0, 0];
    this.hits[name] = [times + (happened ? 1 : 0), trials + 1];
  }
}

/** null where it was not looked for. */
export function shareOf({ hits }: CellResult, name: string): number | null {
  const tally = hits[name];
  return tally === undefined ? null : tally[0] / tally[1];
}

export const covers = (interval: readonly [number, number] | null, truth: number): boolean =>
  interval !== null && interval[0] <= truth + SLACK && truth - SLACK <= interval[1];

/** A bound that is the truth itself holds it; adding up rates leaves 1e-16 between them. */
const SLACK = 1e-9;

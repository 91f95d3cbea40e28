/** Which seed prompts the budget pays for. */
export interface FittedSeeds {
  covered: number;
  dropped: string[];
  /** Budget that all of them would take. */
  needed: number;
}

/** Every seed is run k times; where the budget is too small the last ones are dropped, and one is always run. */
export function fitSeeds(
  seeds: readonly string[],
  { repeats, budget }: { repeats: number; budget: number },
): FittedSeeds {
  const covered = Math.min(seeds.length, Math.max(1, Math.floor(budget / repeats)));
  return { covered, dropped: seeds.slice(covered), needed: seeds.length * repeats };
}

import { MersenneTwister } from "@while/stats";
import type { Job } from "./run-cells.ts";
import { STUDIES } from "./studies.ts";
import type { CellResult } from "./study.ts";

/** One cell, its random numbers its own: the same whatever ran before it. */
export function runJob({ study, cell, trials, seed }: Job): CellResult {
  const { run } = STUDIES.find(({ name }) => name === study)!;
  const rng = new MersenneTwister(`${seed}/${study}/${cell.world}/${cell.k}/${cell.n}`);
  return { ...cell, hits: run(cell, trials, rng) };
}

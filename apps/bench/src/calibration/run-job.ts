import { MersenneTwister } from "@while/stats";
import { MONITOR_STUDIES } from "../select-studies/monitor-studies.ts";
import { SCAN_STUDIES } from "../select-studies/scan-studies.ts";
import type { Job } from "./run-cells.ts";
import { STUDIES } from "./studies.ts";
import type { CellResult, Study } from "./study.ts";

const ALL: readonly Study[] = [...STUDIES, ...SCAN_STUDIES, ...MONITOR_STUDIES];

/** One cell, its random numbers its own: the same whatever ran before it. */
export async function runJob({ study, cell, trials, seed }: Job): Promise<CellResult> {
  const { run } = ALL.find(({ name }) => name === study)!;
  const rng = new MersenneTwister(`${seed}/${study}/${cell.world}/${cell.k}/${cell.n}`);
  return { ...cell, hits: await run(cell, trials, rng) };
}

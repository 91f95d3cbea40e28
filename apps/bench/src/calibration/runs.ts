import type { Row } from "@while/schema";
import { deltaReport, type MersenneTwister, normalQuantile } from "@while/stats";
import { bySize } from "./markdown.ts";
import { type Cell, Counter, covers, type Hits, type Study } from "./study.ts";
import { drawTasks, tasksOf } from "./tasks-of.ts";
import { FALSE_ALARMS, HELD, NO_EFFECT } from "./worlds.ts";

const K = 2;
const RUNS = 3;
const SIZES = [8, 20, 40, 100];
/** Standard deviation of what a run adds to the chance of every task in it; 0 is runs that differ by rollouts alone. */
const SPREADS = [0, 0.05, 0.1];
const EVEN = NO_EFFECT.find(({ name }) => name === "even")!;

const nameOf = (spread: number) => (spread === 0 ? "runs alike" : `runs differ by ${spread}`);

/** Equal agents whose re-runs differ: what the tasks alone say of them, and the interval over tasks and runs. */
export const runs: Study = {
  name: "runs",
  cells: SPREADS.flatMap((spread) => SIZES.map((n) => ({ world: nameOf(spread), n, k: K }))),
  effort: 0.5,
  run({ world, n }: Cell, trials, rng): Hits {
    const spread = SPREADS.find((one) => nameOf(one) === world)!;
    const chances = tasksOf(EVEN).before;
    const counter = new Counter();
    for (let trial = 0; trial < trials; trial++) {
      const drawn = Float64Array.from(drawTasks(rng, n), (task) => chances[task]!);
      const report = deltaReport(arm(rng, drawn, spread), arm(rng, drawn, spread));
      const { ci95, runsCi95, gainVerdict, withinNoise } = report.metrics.get("pass_at_1")!;
      const isAlarm = gainVerdict === "b_better" || gainVerdict === "a_better";
      counter.count("tasks held", covers(ci95, 0));
      counter.count("tasks alarm", isAlarm);
      if (runsCi95 !== null) counter.count("runs held", covers(runsCi95, 0));
      counter.count("runs alarm", isAlarm && !withinNoise);
    }
    return counter.hits;
  },
  print(results) {
    const parts = SPREADS.map((spread) => {
      const own = results.filter(({ world }) => world === nameOf(spread));
      const covered = bySize(own, COVERED, HELD.isMissed);
      const alarms = bySize(own, ALARMS, FALSE_ALARMS.isMissed).split("\n").slice(2);
      return `${spread === 0 ? "Runs that differ by their rollouts alone" : `Each run adds a normal number of standard deviation ${spread} to the chance of all its tasks`}:

${[covered, ...alarms].join("\n")}`;
    });
    return `## Re-runs that differ: equal agents, ${RUNS} runs a side, ${K} rollouts a task in each

Coverage of 95% intervals of the difference, and how often \`deltaReport\` says that it moved; nominal 95% and 5%.

${parts.join("\n\n")}`;
  },
};

const COVERED: readonly [string, string][] = [
  ["tasks held", "coverage: tasks alone, `ci95`"],
  ["runs held", "coverage: tasks and runs, `runsCi95`"],
];
const ALARMS: readonly [string, string][] = [
  ["tasks alarm", "false alarms: the word by tasks alone"],
  ["runs alarm", "false alarms: `moved` or `moved_the_wrong_way`"],
];

function arm(rng: MersenneTwister, chances: Float64Array, spread: number): Row[] {
  const rows: Row[] = [];
  for (let run = 0; run < RUNS; run++) {
    const more = spread * normalQuantile((rng.below(2 ** 31) + 0.5) / 2 ** 31);
    for (const [task, chance] of chances.entries()) {
      for (let i = 0; i < K; i++) {
        const reward = rng.random() < chance + more ? 1 : 0;
        rows.push({ task_id: String(task), reward, lineage: { eval_run: run } });
      }
    }
  }
  return rows;
}

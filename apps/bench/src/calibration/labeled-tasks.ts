import type { Row } from "@while/schema";
import { passAt } from "@while/stats";
import { JUDGES } from "./labels.ts";
import { bySize } from "./markdown.ts";
import { type Cell, Counter, covers, type Hits, type Study } from "./study.ts";
import { HELD } from "./worlds.ts";

const K = 4;
/** Labeled tasks, and five times as many with the judge's verdict alone. */
const LABELED = [8, 20, 50, 200];
const TASKS = 5;

/**
 * `debiasedCi95` of `passAt`: tasks of different difficulty, four rollouts each, a judge on all, and a person on one
 * rollout or on all of a sixth of the tasks.
 */
export const labeledTasks: Study = {
  name: "labeled-tasks",
  cells: Object.keys(JUDGES).flatMap((judge) =>
    [1, K].flatMap((each) => LABELED.map((n) => ({ world: judge, n, k: each }))),
  ),
  effort: 0.5,
  run({ world, n, k: labelsEach }: Cell, trials, rng): Hits {
    const { good, passesGood, passesBad } = JUDGES[world]!;
    const counter = new Counter();
    for (let trial = 0; trial < trials; trial++) {
      const rows: Row[] = [];
      for (let task = 0; task < n * (TASKS + 1); task++) {
        // Half of the tasks are easier than the mean and half are harder, as far as the mean leaves room.
        const chance = good + (rng.random() < 0.5 ? -1 : 1) * Math.min(good, 1 - good) * 0.8;
        for (let i = 0; i < K; i++) {
          const gold = rng.random() < chance;
          const row: Row = {
            task_id: String(task),
            reward: rng.random() < (gold ? passesGood : passesBad) ? 1 : 0,
          };
          if (task < n && i < labelsEach) Object.assign(row, { gold_reward: Number(gold), gold_kind: "human" });
          rows.push(row);
        }
      }
      const { ci95, debiasedCi95 } = passAt(rows);
      counter.count("debiased", covers(debiasedCi95, good));
      counter.count("judge", covers(ci95, good));
    }
    return counter.hits;
  },
  print(results) {
    const parts = [1, K].map((each) => {
      const own = results.filter(({ k }) => k === each);
      return `${each === 1 ? "One label a labeled task" : `${each} labels a labeled task`}:

${bySize(own, METHODS, HELD.isMissed).replaceAll(" tasks |", " labeled tasks |")}`;
    });
    return `## Labels on some tasks: coverage of 95% intervals of the true pass rate

The judges above on tasks of two difficulties, ${K} rollouts each; ${TASKS} times as many tasks carry the judge's verdict alone. Mean, lowest and highest of the judges.

${parts.join("\n\n")}`;
  },
};

const METHODS: readonly [string, string][] = [
  ["debiased", "`passAt`: `debiasedCi95`"],
  ["judge", "`passAt`: `ci95`, the judge's word for it"],
];

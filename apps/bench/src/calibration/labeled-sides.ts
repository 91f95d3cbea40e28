import type { Row } from "@while/schema";
import { deltaReport, type MersenneTwister } from "@while/stats";
import { JUDGES } from "./labels.ts";
import { bySize } from "./markdown.ts";
import { type Cell, Counter, covers, type Hits, type Study } from "./study.ts";
import { HELD } from "./worlds.ts";

const K = 4;
/** Labeled tasks a side, and twice as many with the judge's verdict alone. */
const LABELED = [8, 20, 50, 200];
const TASKS = 2;
/** Of what an agent fails before, the share it passes after. */
const GAIN = 0.2;
/** Of the bad work that the judge does not pass before, the share it passes after: it has come to like the side. */
const KINDER = 0.3;

/** Which tasks carry a label: the same before and after, or others. */
const PLACES = ["same", "other"] as const;

/**
 * `debiased` of `deltaReport`: a judge that passes more bad work of the agent after than of the one before, and a person
 * on one rollout of a third of the tasks of each side.
 */
export const labeledSides: Study = {
  name: "labeled-sides",
  cells: Object.keys(JUDGES).flatMap((judge) =>
    PLACES.flatMap((place) => LABELED.map((n) => ({ world: `${judge}/${place}`, n, k: K }))),
  ),
  effort: 0.25,
  run({ world, n }: Cell, trials, rng): Hits {
    const [judge, place] = world.split("/") as [string, (typeof PLACES)[number]];
    const { good, passesGood, passesBad } = JUDGES[judge]!;
    const counter = new Counter();
    const nTasks = n * (TASKS + 1);
    for (let trial = 0; trial < trials; trial++) {
      const chances = Array.from(
        { length: nTasks },
        () => good + (rng.random() < 0.5 ? -1 : 1) * Math.min(good, 1 - good) * 0.8,
      );
      const kinder = passesBad + (1 - passesBad) * KINDER;
      const before = sideOf(chances, { passesGood, passesBad, isLabeled: (task) => task < n }, rng);
      const after = sideOf(
        chances.map((chance) => chance + (1 - chance) * GAIN),
        {
          passesGood,
          passesBad: kinder,
          isLabeled: (task) => (place === "same" ? task < n : task >= n && task < 2 * n),
        },
        rng,
      );
      const { debiased, metrics } = deltaReport(before, after);
      const truth = (1 - good) * GAIN;
      counter.count("debiased", covers(debiased!.ci95, truth));
      counter.count("judge", covers(metrics.get("pass_at_1")!.ci95, truth));
      const offBefore = good * (passesGood - 1) + (1 - good) * passesBad;
      const goodAfter = good + truth;
      const offAfter = goodAfter * (passesGood - 1) + (1 - goodAfter) * kinder;
      const { biasShiftCi95: shift } = debiased!;
      if (shift !== null) counter.count("shift", covers(shift, offAfter - offBefore));
    }
    return counter.hits;
  },
  print(results) {
    return `## Labels on both sides: coverage of 95% intervals of the true change

The judges above, which pass ${KINDER * 100}% of the bad work that they had failed once it is the agent's after the change; ${K} rollouts a task, a person on one of them on as many tasks as the column says, and ${TASKS} times as many tasks without. Mean, lowest and highest of the judges, with labels on the same tasks of both sides and on others.

${bySize(results, METHODS, HELD.isMissed).replaceAll(" tasks |", " labeled tasks |")}`;
  },
};

interface Verdicts {
  passesGood: number;
  passesBad: number;
  isLabeled: (task: number) => boolean;
}

function sideOf(
  chances: readonly number[],
  { passesGood, passesBad, isLabeled }: Verdicts,
  rng: MersenneTwister,
): Row[] {
  return chances.flatMap((chance, task) =>
    Array.from({ length: K }, (_, i): Row => {
      const gold = rng.random() < chance;
      const reward = rng.random() < (gold ? passesGood : passesBad) ? 1 : 0;
      const label = isLabeled(task) && i === 0 ? { gold_reward: Number(gold), gold_kind: "human" } : {};
      return { task_id: String(task), reward, ...label };
    }),
  );
}

const METHODS: readonly [string, string][] = [
  ["debiased", "`deltaReport`: `debiased.ci95`"],
  ["judge", "`deltaReport`: `ci95` of pass@1, the judge's word for it"],
  ["shift", "`debiased.biasShiftCi95`, of the true shift"],
];

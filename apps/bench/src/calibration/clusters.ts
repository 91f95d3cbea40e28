import { clusteredStandardError, meanScoreInterval } from "@while/stats";
import { bySize } from "./markdown.ts";
import { type Cell, Counter, covers, type Hits, type Study } from "./study.ts";
import { drawPasses, drawTasks, ratesOf, tasksOf } from "./tasks-of.ts";
import { HELD, ONE_ARM } from "./worlds.ts";

const CLUSTERS = [5, 8, 12, 20, 50];
const TASKS_A_CLUSTER = 5;
const WORLDS = ONE_ARM.filter(({ name }) => ["even", "split", "easy"].includes(name));

/** Tasks written from one document are as hard as one another: what that does to an interval that takes them for draws. */
export const clusters: Study = {
  name: "clusters",
  cells: WORLDS.flatMap(({ name }) => CLUSTERS.map((n) => ({ world: name, n, k: 4 }))),
  effort: 1,
  run({ world, n, k }: Cell, trials, rng): Hits {
    const { before, meanBefore: truth } = tasksOf(WORLDS.find(({ name }) => name === world)!);
    const counter = new Counter();
    const names = Array.from({ length: n * TASKS_A_CLUSTER }, (_, i) => String(i % n));
    for (let trial = 0; trial < trials; trial++) {
      const documents = drawTasks(rng, n);
      const tasks = Uint32Array.from(names, (_, i) => documents[i % n]!);
      const rates = ratesOf(drawPasses(rng, before, tasks, k), k);
      const { ci95, mean } = clusteredStandardError(rates, names)!;
      counter.count("clustered", covers(ci95 ?? [mean, mean], truth));
      counter.count("naive", covers(meanScoreInterval(rates)!.ci95, truth));
      const means = Array.from({ length: n }, (_, c) => meanOf(rates.filter((_, i) => i % n === c)));
      counter.count("means", covers(meanScoreInterval(means)!.ci95, truth));
    }
    return counter.hits;
  },
  print(results) {
    return `## Clusters: ${TASKS_A_CLUSTER} tasks a document, all of one difficulty, four rollouts each

Coverage of 95% intervals; columns are documents. Mean, lowest and highest of the worlds ${WORLDS.map(({ name }) => name).join(", ")}.

${bySize(results, METHODS, HELD.isMissed).replaceAll(" tasks |", " documents |")}`;
  },
};

const METHODS: readonly [string, string][] = [
  ["means", "`meanScoreInterval` of the documents' means"],
  ["clustered", "`clusteredStandardError`, t(G - 1)"],
  ["naive", "`meanScoreInterval` of the tasks, as if they were independent"],
];

function meanOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}

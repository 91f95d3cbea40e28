import {
  benjaminiHochberg,
  holmAdjust,
  maxTSignFlip,
  pairedTInterval,
  signFlipExact,
  signTestEValue,
} from "@while/stats";
import { bySize } from "./markdown.ts";
import { type Cell, Counter, type Hits, type Study } from "./study.ts";
import { drawPasses, drawTasks, ratesOf, tasksOf } from "./tasks-of.ts";
import { FALSE_ALARMS, NO_EFFECT } from "./worlds.ts";

const METRICS = 5;
const WORLDS = NO_EFFECT.filter(({ name }) => name !== "ceiling");
const SIZES = [8, 12, 50, 200];
const MAX_T_EVERY = 20;
const LOOK_EVERY = 10;
const K = 4;

/** Several metrics at once, and looking before the end: how often anything is said of two equal arms. */
export const families: Study = {
  name: "families",
  cells: WORLDS.flatMap(({ name }) => SIZES.map((n) => ({ world: name, n, k: K }))),
  effort: 0.5,
  run({ world, n, k }: Cell, trials, rng): Hits {
    const { before } = tasksOf(WORLDS.find(({ name }) => name === world)!);
    const counter = new Counter();
    for (let trial = 0; trial < trials; trial++) {
      const tasks = drawTasks(rng, n);
      const arm = () => ratesOf(drawPasses(rng, before, tasks, k), k);
      const metrics = Array.from({ length: METRICS }, () => {
        const [a, b] = [arm(), arm()];
        return a.map((rate, i) => b[i]! - rate);
      });
      const p = metrics.map((diffs) => signFlipExact(diffs)!);
      const any = (values: readonly number[]) => Math.min(...values) <= 0.05;
      counter.count("none", any(p));
      counter.count("holm", any(holmAdjust(p)));
      counter.count("bh", any(benjaminiHochberg(p)));
      if (trial % MAX_T_EVERY === 0) counter.count("max-t", any(maxTSignFlip(metrics).pValues));
      look(counter, metrics[0]!);
    }
    return counter.hits;
  },
  print(results) {
    return `## Many metrics, and looking early: anything said of two equal arms

${METRICS} independent metrics, four rollouts a task. Looking early: one metric, tested after every ${LOOK_EVERY} tasks. Mean, lowest and highest of the worlds ${WORLDS.map(({ name }) => name).join(", ")}; nominal 5%.

${bySize(results, METHODS, FALSE_ALARMS.isMissed)}`;
  },
};

function look(counter: Counter, diffs: readonly number[]): void {
  let [t, eValue] = [false, false];
  let [wins, losses] = [0, 0];
  for (const [i, diff] of diffs.entries()) {
    if (diff > 0) wins++;
    if (diff < 0) losses++;
    if ((i + 1) % LOOK_EVERY > 0 && i + 1 < diffs.length) continue;
    t ||= (pairedTInterval(diffs.slice(0, i + 1))?.pValue ?? 1) <= 0.05;
    eValue ||= signTestEValue(wins, losses).pAnytime <= 0.05;
  }
  counter.count("t", t);
  counter.count("e-value", eValue);
}

const METHODS: readonly [string, string][] = [
  ["none", "sign flip, not adjusted"],
  ["holm", "`holmAdjust`"],
  ["max-t", "`maxTSignFlip`, in one of 20 trials"],
  ["bh", "`benjaminiHochberg`"],
  ["t", "looking early: `pairedTInterval` p"],
  ["e-value", "looking early: `signTestEValue`"],
];

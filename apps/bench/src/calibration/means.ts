import {
  bcaCi,
  bootstrapCi,
  exactBootstrapCi,
  expandedPercentileCi,
  meanScoreInterval,
  wilsonInterval,
} from "@while/stats";
import { bySize, matrix } from "./markdown.ts";
import { type Cell, Counter, covers, grid, type Hits, type Study } from "./study.ts";
import { drawPasses, drawTasks, ratesOf, tasksOf } from "./tasks-of.ts";
import { HELD, ONE_ARM, ROLLOUTS, SIZES } from "./worlds.ts";

const INTERVALS: readonly [key: string, name: string][] = [
  ["strict", "`passAt`, `markerSummary`, strict: `meanScoreInterval`"],
  ["compat", "`passAt`, `markerSummary`, compat: percentile bootstrap (`exactBootstrapCi`, its limit)"],
  ["drawn", "the same by 2,000 draws (`bootstrapCi`), up to 20 tasks"],
  ["expanded", "`expandedPercentileCi`"],
  ["bca", "`bcaCi`"],
  ["rows", "`wilsonInterval` over rows, as if rollouts were independent"],
];
/** The others are looked at in one of so many trials; 2,000 draws in fewer, and on few tasks, as they take hours. */
const OTHERS_EVERY = 4;
const DRAWN_EVERY = 20;
const MOST_DRAWN = 20;

/** Does an interval on a pass rate hold the mean chance of the tasks that could have been drawn? */
export const means: Study = {
  name: "means",
  cells: grid(ONE_ARM, SIZES, ROLLOUTS),
  effort: 1,
  run({ world, n, k }: Cell, trials, rng): Hits {
    const { before, meanBefore: truth } = tasksOf(ONE_ARM.find(({ name }) => name === world)!);
    const counter = new Counter();
    for (let trial = 0; trial < trials; trial++) {
      const rates = ratesOf(drawPasses(rng, before, drawTasks(rng, n), k), k);
      counter.count("strict", covers(meanScoreInterval(rates)!.ci95, truth));
      if (n <= MOST_DRAWN && trial % DRAWN_EVERY === 0) {
        counter.count("drawn", covers(bootstrapCi(rates, { seed: trial }), truth));
      }
      if (trial % OTHERS_EVERY > 0) continue;
      counter.count("compat", covers(exactBootstrapCi(rates), truth));
      const passed = Math.round(rates.reduce((total, rate) => total + rate, 0) * k);
      const point: [number, number] = [rates[0]!, rates[0]!];
      counter.count("expanded", covers(expandedPercentileCi(rates)!.ci95, truth));
      counter.count("bca", covers(bcaCi(rates)?.ci95 ?? point, truth));
      counter.count("rows", covers(wilsonInterval(passed, n * k), truth));
    }
    return counter.hits;
  },
  print(results) {
    return `## Pass rates: coverage of 95% intervals of a mean over tasks

${ONE_ARM.map(({ name, about }) => `- **${name}**: ${about}`).join("\n")}

Strict / compat, in percent. Bold: strict outside ${HELD.low} to ${HELD.high} from ${HELD.from} tasks up.

${matrix(results, { left: "strict", right: "compat", isBad: HELD.isMissed })}

Mean over these worlds and rollouts, with the lowest and the highest cell:

${bySize(results, INTERVALS, HELD.isMissed)}`;
  },
};

import { hackScan } from "@while/select";
import type { MersenneTwister } from "@while/stats";
import { matrix } from "../calibration/markdown.ts";
import { type Cell, Counter, grid, type Hits, type Study } from "../calibration/study.ts";
import { type Draft, drafts, rowsOf } from "./replies.ts";
import { mostByLuck, SCAN, sharesOver } from "./scan-setting.ts";

interface NullWorld {
  name: string;
  about: string;
  /** Rollouts of an ask, of the k of the cell. */
  size: (k: number, rng: MersenneTwister) => number;
  /** Chance of a pass, the same for every rollout of an ask. */
  rate: (list: readonly Draft[], rng: MersenneTwister) => number;
}

const any = (_: readonly Draft[], rng: MersenneTwister): number => 0.15 + 0.7 * rng.random();

/** Rewards that nothing in a reply has any part in. */
const WORLDS: readonly NullWorld[] = [
  { name: "a coin an ask", about: "every ask has a pass rate of its own", size: (k) => k, rate: any },
  {
    name: "difficulty goes with length",
    about: "asks with long replies are passed more often, rollouts of an ask are not",
    size: (k) => k,
    rate: (list) =>
      Math.min(0.9, Math.max(0.1, list.reduce((sum, { text }) => sum + text.length, 0) / list.length / 300)),
  },
  { name: "uneven groups", about: "2 to k rollouts an ask", size: (k, rng) => 2 + rng.below(k - 1), rate: any },
];

/** What is found where there is nothing: the share of sets with a feature above a floor of 5%. */
export const scanNull: Study = {
  name: "scan-null",
  cells: grid(WORLDS, [24, 48, 100, 200], [4, 8]),
  effort: 1,
  run({ world, n, k }: Cell, trials, rng): Hits {
    const { size, rate } = WORLDS.find(({ name }) => name === world)!;
    const counter = new Counter();
    for (let trial = 0; trial < trials; trial++) {
      const rows = Array.from({ length: n }, (_, ask) => {
        const list = drafts(ask, size(k, rng), { echo: null, rate: 0.5 }, rng);
        const passes = rate(list, rng);
        return rowsOf(list, () => rng.random() < passes);
      }).flat();
      counter.count("strict", hackScan(rows, { ...SCAN, seed: trial }).nAboveFloor > 0);
      if (trial % 4 === 0) counter.count("compat", hackScan(rows, { seed: trial, rules: "compat" }).nAboveFloor > 0);
    }
    return counter.hits;
  },
  print(results) {
    return `## Null rewards: sets with any feature above the floor of 5%

${WORLDS.map(({ name, about }) => `- **${name}**: ${about}`).join("\n")}

The default rules / \`rules: "compat"\`, in percent.

${matrix(results, { left: "strict", right: "compat", isBad: (share) => share > mostByLuck(results, "strict") })}

Over all cells: ${sharesOver(results, "strict")} by the default rules, ${sharesOver(results, "compat")} by the compatible ones.`;
  },
};

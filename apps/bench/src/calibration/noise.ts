import { noiseBand, normalQuantile } from "@while/stats";
import { bySize } from "./markdown.ts";
import { type Cell, Counter, type Hits, type Study } from "./study.ts";
import { FALSE_ALARMS } from "./worlds.ts";

const RUNS = [2, 3, 5, 10];

/** The noise floor: how often two numbers of one agent lie further apart than the band from its re-runs. */
export const noise: Study = {
  name: "noise",
  cells: RUNS.map((n) => ({ world: "re-runs", n, k: 1 })),
  effort: 5,
  run({ n }: Cell, trials, rng): Hits {
    const counter = new Counter();
    const draw = () => normalQuantile((rng.below(2 ** 31) + 0.5) / 2 ** 31);
    for (let trial = 0; trial < trials; trial++) {
      const sides = [0, 1].map(() => Array.from({ length: n }, draw));
      const [a, b] = sides.map(moments) as [Moments, Moments];
      const runStd = Math.sqrt((a.variance + b.variance) / 2);
      const gap = Math.abs(b.mean - a.mean);
      const sizes = { nA: n, nB: n };
      counter.count("t", gap > noiseBand(runStd, { ...sizes, df: 2 * (n - 1) }));
      counter.count("normal", gap > noiseBand(runStd, sizes));
    }
    return counter.hits;
  },
  print(results) {
    return `## The noise floor: equal agents outside of the band

Columns are re-runs a side; nominal 5%.

${bySize(results, BANDS, FALSE_ALARMS.isMissed).replaceAll(" tasks |", " runs |")}`;
  },
};

const BANDS: readonly [string, string][] = [
  ["t", "`noiseBand` with `df`, as `deltaReport` takes it"],
  ["normal", "`noiseBand` without, the spread read as exact"],
];

interface Moments {
  mean: number;
  variance: number;
}

function moments(values: readonly number[]): Moments {
  const mean = values.reduce((total, value) => total + value, 0) / values.length;
  const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0);
  return { mean, variance: squares / (values.length - 1) };
}

import {
  agrestiCaffo,
  binomialPmf,
  clopperPearson,
  fisherExact,
  type Interval,
  jeffreysInterval,
  newcombeIndependent,
  twoProportionP,
  wilsonInterval,
} from "@while/stats";
import { bySize, percent, table } from "./markdown.ts";
import { type Cell, type CellResult, Counter, covers, type Hits, type Study, shareOf } from "./study.ts";
import { FALSE_ALARMS, HELD } from "./worlds.ts";

const SINGLE: readonly [string, string, (successes: number, n: number) => Interval | null][] = [
  ["wilson", "`wilsonInterval`", (successes, n) => wilsonInterval(successes, n)],
  ["clopper", "`clopperPearson`", (successes, n) => clopperPearson(successes, n)],
  ["jeffreys", "`jeffreysInterval`", (successes, n) => jeffreysInterval(successes, n)],
];
const SIZES = [8, 20, 50, 200];
/** Two arms of independent rows, by their true rates. */
const PAIRS: Readonly<Record<string, readonly [number, number]>> = {
  "0.5, 0.5": [0.5, 0.5],
  "0.9, 0.9": [0.9, 0.9],
  "0.3, 0.5": [0.3, 0.5],
};
const ALL_RATES = "all rates";

/** Intervals and tests on rows that are independent: one rate, by enumeration; two, by simulation. */
export const rates: Study = {
  name: "rates",
  cells: [ALL_RATES, ...Object.keys(PAIRS)].flatMap((world) => SIZES.map((n) => ({ world, n, k: 1 }))),
  effort: 1,
  run({ world, n }: Cell, trials, rng): Hits {
    if (world === ALL_RATES) return enumerated(n);
    const counter = new Counter();
    const [p, q] = PAIRS[world]!;
    for (let trial = 0; trial < trials; trial++) {
      const passes = (chance: number) => {
        let successes = 0;
        for (let i = 0; i < n; i++) if (rng.random() < chance) successes++;
        return { successes, n };
      };
      const [before, after] = [passes(p), passes(q)];
      counter.count("caffo", covers(agrestiCaffo(before, after)!.ci95, q - p));
      counter.count("newcombe", covers(newcombeIndependent(before, after)!.ci95, q - p));
      if (p !== q) continue;
      counter.count("fisher", fisherExact(before, after) <= 0.05);
      counter.count("two proportions", (twoProportionP(before, after) ?? 1) <= 0.05);
    }
    return counter.hits;
  },
  print(results) {
    const single = results.filter(({ world }) => world === ALL_RATES);
    const two = results.filter(({ world }) => world !== ALL_RATES);
    const cell = (key: string) => (result: CellResult) =>
      `${percent(shareOf(result, key)!)} (${percent(shareOf(result, `${key}, lowest`)!)})`;
    return `## One rate of independent rows: coverage of 95% intervals

By enumeration over all outcomes and the rates 0.05, 0.06, ... 0.95: the mean, and the lowest of them. No interval of counts can hold the same share at every rate: outcomes come one by one.

${table(
  ["", ...SIZES.map((n) => `${n} rows`)],
  SINGLE.map(([key, name]) => [name, ...single.map(cell(key))]),
)}

## Two rates of independent rows

Coverage of 95% intervals of the difference at true rates ${Object.keys(PAIRS).join("; ")}: mean, lowest and highest.

${bySize(two, TWO, HELD.isMissed).replaceAll(" tasks |", " rows |")}

False alarms at equal rates; nominal 5%:

${bySize(two, TESTS, FALSE_ALARMS.isMissed).replaceAll(" tasks |", " rows |")}`;
  },
};

const TWO: readonly [string, string][] = [
  ["caffo", "`agrestiCaffo`"],
  ["newcombe", "`newcombeIndependent`"],
];
const TESTS: readonly [string, string][] = [
  ["fisher", "`fisherExact`"],
  ["two proportions", "`twoProportionP`"],
];

function enumerated(n: number): Hits {
  const grid = Array.from({ length: 91 }, (_, i) => (i + 5) / 100);
  const hits: Hits = {};
  for (const [key, , interval] of SINGLE) {
    const intervals = Array.from({ length: n + 1 }, (_, successes) => interval(successes, n));
    const held = grid.map((p) =>
      intervals.reduce((total, at, successes) => total + (covers(at, p) ? binomialPmf(successes, n, p) : 0), 0),
    );
    hits[key] = [held.reduce((total, share) => total + share, 0), grid.length];
    hits[`${key}, lowest`] = [Math.min(...held), 1];
  }
  return hits;
}

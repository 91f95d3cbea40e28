import { readFileSync } from "node:fs";
import {
  compareCodePoints,
  formatFixed,
  formatPercent,
  formatSigned,
  type Row,
  roundHalfEven,
  taskKey,
} from "@while/schema";
import { expect, test } from "vitest";
import {
  agrestiCaffo,
  anovaIcc,
  answerCounts,
  answeredCheck,
  asymptoticConfidenceSequence,
  balanceKeep,
  bayesianBootstrapMoments,
  bcaCi,
  benjaminiHochberg,
  benjaminiYekutieli,
  betaBinomialConfidenceSequence,
  betaInc,
  betaPosterior,
  bonettPrice,
  bootstrapCi,
  clopperPearson,
  clusteredStandardError,
  cohenKappa,
  compareRuns,
  concentratedTaskSd,
  datasetReport,
  deltaReport,
  detectableEffect,
  detectableEffectClosed,
  differenceInterval,
  drawSeeds,
  evalPower,
  evalVariance,
  exactBootstrapCi,
  expandedPercentileCi,
  fisherExact,
  formatPassAt,
  groupSignal,
  gwetAc1,
  headlineWord,
  heterogeneityQ,
  holdoutSize,
  holdoutSizeT,
  holmAdjust,
  independenceRatio,
  jeffreysInterval,
  kappaStandardError,
  logprobReport,
  MersenneTwister,
  type Metric,
  markerNames,
  markerSummary,
  maxTSignFlip,
  mcnemarExact,
  mcnemarPower,
  meanKl,
  metricSummary,
  minTasksForExactTest,
  newcombeIndependent,
  noiseBand,
  noiseFloorPoints,
  nonInferiority,
  normalCdf,
  normalQuantile,
  pabak,
  pairedTaskSd,
  pairedTInterval,
  passAt,
  passAtKGroup,
  passPowKGroup,
  passPowKPlugIn,
  pearson,
  percentileIndices,
  posteriorPassK,
  ppiMean,
  probBBetter,
  quantileNearestRank,
  roganGladen,
  rolloutVarianceSplit,
  runConfig,
  signFlipExact,
  signFlipPValue,
  signTestEValue,
  spearman,
  stabilityBand,
  stalenessReport,
  stratifiedExactTest,
  taskMeans,
  tCdf,
  tostPaired,
  tQuantile,
  twoProportionP,
  wilsonInterval,
  withinGroupCorrelation,
} from "../src/index.ts";

// Values computed with numpy and scipy, exact rationals, or by enumeration; `how` in each case says which.
// Cases of the tiers core and compat are about the compat rules; the strict ones have tests of their own.

type Tolerance = number | null | { abs: number; rel: number };

interface Case {
  id: string;
  fn: string;
  // biome-ignore lint/suspicious/noExplicitAny: each function has its own input, read by its line in CALLS
  input: any;
  expected: unknown;
  tolerance: Tolerance;
}

const { cases } = JSON.parse(readFileSync(new URL("golden/stats.json", import.meta.url), "utf8")) as { cases: Case[] };
const compat = { inference: "compat" } as const;

const CALLS: Record<string, (input: Case["input"]) => unknown> = {
  agrestiCaffo: ({ x1, n1, x2, n2 }) => agrestiCaffo({ successes: x1, n: n1 }, { successes: x2, n: n2 }),
  anovaIcc: ({ rates, k }) => anovaIcc(rates, k),
  answeredCheck: ({ answeredA, nA, answeredB, nB, ...options }) =>
    answeredCheck({ successes: answeredA, n: nA }, { successes: answeredB, n: nB }, options),
  answerCounts: ({ rows }) => answerCounts(rowsOf(rows)),
  asymptoticConfidenceSequence: (options) => asymptoticConfidenceSequence(options),
  balanceKeep: ({ n, keep, ...options }) => balanceKeep(n, keep, options),
  bayesianBootstrapMoments: ({ values }) => bayesianBootstrapMoments(values),
  bcaCi: ({ values }) => bcaCi(values),
  benjaminiHochberg: ({ pValues }) => benjaminiHochberg(pValues),
  benjaminiYekutieli: ({ pValues }) => benjaminiYekutieli(pValues),
  betaBinomialConfidenceSequence: ({ successes, n, ...options }) =>
    betaBinomialConfidenceSequence(successes, n, options),
  betaInc: ({ a, b, x }) => betaInc(a, b, x),
  betaPosterior: ({ successes, n, ...prior }) => betaPosterior(successes, n, prior),
  bonettPrice: (outcomes) => bonettPrice(outcomes),
  bootstrapCi: ({ values, ...options }) => bootstrapCi(values, options),
  clopperPearson: ({ successes, n }) => clopperPearson(successes, n),
  clusteredStandardError: ({ values, clusters }) => clusteredStandardError(values, clusters),
  cohenKappa: (table) => cohenKappa(table, compat),
  compareRuns: ({ a, b, ...options }) => compareRuns(rowsOf(a), rowsOf(b), { ...options, ...compat }),
  differenceInterval: (input) => differenceInterval(input),
  concentratedTaskSd: ({ base, effect, k }) => concentratedTaskSd(base, effect, k),
  datasetReport: ({ rows, ...options }) => datasetReport(rows, options),
  deltaReport: ({ before, after, ...options }) => deltaReport(rowsOf(before), rowsOf(after), { ...options, ...compat }),
  detectableEffect: ({ nTasks, ...options }) => detectableEffect(nTasks, options),
  detectableEffectClosed: ({ nTasks, ...options }) => detectableEffectClosed(nTasks, options),
  drawSeeds: ({ seed, prompt, k }) => drawSeeds(prompt, k, { seed }),
  evalPower: ({ rows, ...options }) => evalPower(rowsOf(rows), { ...options, ...compat }),
  evalVariance: ({ runs, ...options }) => evalVariance(runs.map(rowsOf), { ...options, ...compat }),
  exactBootstrapCi: ({ values }) => exactBootstrapCi(values),
  expandedPercentileCi: ({ values }) => expandedPercentileCi(values),
  fisherExact: ({ table: [[a, b], [c, d]] }) => fisherExact({ successes: a, n: a + b }, { successes: c, n: c + d }),
  formatFixed: ({ x, digits }) => formatFixed(x, digits),
  formatPercent: ({ x, digits }) => formatPercent(x, digits),
  formatSigned: ({ x, digits }) => formatSigned(x, digits),
  groupSignal: ({ rows, ...options }) => groupSignal(rowsOf(rows), { ...options, ...compat }),
  gwetAc1: (table) => gwetAc1(table),
  headlineWord: (report) => headlineWord(report),
  heterogeneityQ: ({ groups }) => heterogeneityQ(groups),
  holdoutSize: ({ effect, before, after, ...options }) =>
    holdoutSize(effect, {
      ...(before === undefined ? {} : { before: rowsOf(before) }),
      ...(after === undefined ? {} : { after: rowsOf(after) }),
      ...options,
      ...compat,
    }),
  holdoutSizeT: ({ taskStd, effect }) => holdoutSizeT(taskStd, effect),
  holmAdjust: ({ pValues }) => holmAdjust(pValues),
  independenceRatio: ({ rates }) => independenceRatio(rates),
  jeffreysInterval: ({ successes, n }) => jeffreysInterval(successes, n),
  kappaStandardError: (table) => kappaStandardError(table),
  logprobReport: ({ rows }) => logprobReport(rowsOf(rows)),
  markerNames: ({ rows }) => markerNames(rowsOf(rows)),
  markerSummary: ({ rows, ...options }) => markerSummary(rowsOf(rows), { ...options, ...compat }),
  maxTSignFlip: ({ diffs }) => maxTSignFlip(diffs).pValues,
  mcnemarExact: ({ n10, n01 }) => mcnemarExact(n10, n01),
  mcnemarPower: ({ n, p10, p01 }) => mcnemarPower(n, p10, p01),
  meanKl: ({ rows }) => meanKl(rowsOf(rows)),
  metricSummary: ({ rows, metric }) => metricSummary(rowsOf(rows), metric as Metric, compat),
  minTasksForExactTest: ({ alpha }) => minTasksForExactTest(alpha),
  "mt19937.random": ({ seed, n }) => {
    const rng = new MersenneTwister(seed);
    return Array.from({ length: n }, () => rng.random());
  },
  "mt19937.randrange": ({ seed, below, n }) => {
    const rng = new MersenneTwister(seed);
    return Array.from({ length: n }, () => rng.below(below));
  },
  "mt19937.shuffle": ({ seed, n }) => new MersenneTwister(seed).shuffle(Array.from({ length: n }, (_, i) => i)),
  newcombeIndependent: ({ x1, n1, x2, n2 }) =>
    newcombeIndependent({ successes: x1, n: n1 }, { successes: x2, n: n2 })?.ci95,
  noiseBand: ({ runStd, ...options }) => noiseBand(runStd, options),
  noiseFloorPoints: ({ runMeans }) => noiseFloorPoints(runMeans),
  nonInferiority: ({ diffs, margin }) => nonInferiority(diffs, margin),
  normalCdf: ({ x }) => normalCdf(x),
  normalQuantile: ({ p }) => normalQuantile(p),
  pabak: (table) => pabak(table),
  pairedTaskSd: ({ base, effect, k }) => pairedTaskSd(base, effect, k),
  pairedTInterval: ({ diffs }) => pairedTInterval(diffs),
  passAt: ({ rows, ...options }) => {
    const report = passAt(rowsOf(rows), { ...options, ...compat });
    return { ...report, text: formatPassAt(report) };
  },
  passAtKGroup: ({ n, c, k }) => passAtKGroup(n, c, k),
  passPowKGroup: ({ n, c, k }) => passPowKGroup(n, c, k),
  passPowKPlugIn: ({ p, k }) => passPowKPlugIn(p, k),
  pearson: ({ x, y }) => pearson(x, y),
  percentileIndices: ({ level, nBoot }) => percentileIndices(level, nBoot),
  posteriorPassK: ({ n, c, k, ...prior }) => posteriorPassK(n, c, k, prior),
  ppiMean: ({ lambda, ...input }) => ppiMean(input, lambda === undefined ? {} : { lambda }),
  probBBetter: ({ xA, nA, xB, nB }) => probBBetter({ successes: xA, n: nA }, { successes: xB, n: nB }),
  quantileNearestRank: ({ values, q }) => quantileNearestRank(values, q),
  roganGladen: (input) => roganGladen(input),
  rolloutVarianceSplit: ({ rates, k }) => rolloutVarianceSplit(rates, k),
  roundHalfEven: ({ x, digits }) => roundHalfEven(x, digits),
  runConfig: ({ rows, nTasks, k }) => runConfig(rowsOf(rows), { nTasks, k }),
  signFlipExact: ({ diffs }) => signFlipExact(diffs),
  signFlipPValue: ({ diffs, ...options }) => signFlipPValue(diffs, options),
  signTestEValue: ({ wins, losses }) => signTestEValue(wins, losses),
  sortKeys: ({ keys }) => [...keys].sort(compareCodePoints),
  spearman: ({ x, y }) => spearman(x, y),
  stabilityBand: ({ runStd }) => stabilityBand(runStd),
  stalenessReport: ({ rows, baseModel }) => stalenessReport(rowsOf(rows), { baseModel }),
  stratifiedExactTest: ({ tables }) => stratifiedExactTest(tables),
  taskKey: ({ row }) => taskKey(row),
  taskMeans: ({ rows, metric }) => taskMeans(rowsOf(rows), metric as Metric, compat),
  tCdf: ({ t, df }) => tCdf(t, df),
  tostPaired: ({ diffs, margin }) => tostPaired(diffs, margin),
  tQuantile: ({ df, level }) => tQuantile(df, level),
  twoProportionP: ({ xA, nA, xB, nB }) => twoProportionP({ successes: xA, n: nA }, { successes: xB, n: nB }),
  wilsonInterval: ({ successes, n, ...options }) => wilsonInterval(successes, n, options),
  withinGroupCorrelation: ({ groups, x, y }) => withinGroupCorrelation(groups, x, y, compat),
};

test("every case is here and every function has some", () => {
  expect(cases).toHaveLength(621);
  expect(new Set(cases.map(({ fn }) => fn))).toEqual(new Set(Object.keys(CALLS)));
});

test.each(cases)("$id", ({ fn, input, expected, tolerance }) => {
  const words = refusal(expected);
  if (words === null) {
    expectNear(CALLS[fn]!(input), expected, tolerance);
    return;
  }
  let message = "";
  try {
    CALLS[fn]!(input);
  } catch (error) {
    message = String(error).toLowerCase();
  }
  for (const word of words) expect(message).toContain(word.toLowerCase());
});

/** `{"$error": words}`: the call throws, and its message holds every word. */
function refusal(expected: unknown): string[] | null {
  return (expected as { $error?: string[] } | null)?.$error ?? null;
}

/** Objects match as a subset, numbers within the tolerance, everything else exactly. */
function expectNear(actual: unknown, expected: unknown, tolerance: Tolerance): void {
  if (typeof expected === "number") {
    const { abs, rel } = typeof tolerance === "object" && tolerance !== null ? tolerance : { abs: tolerance, rel: 0 };
    expect(actual).toBeTypeOf("number");
    expect(Math.abs((actual as number) - expected)).toBeLessThanOrEqual((abs ?? 0) + rel * Math.abs(expected));
  } else if (Array.isArray(expected)) {
    expect(actual).toHaveLength(expected.length);
    for (const [i, value] of expected.entries()) expectNear((actual as unknown[])[i], value, tolerance);
  } else if (typeof expected === "object" && expected !== null) {
    const found = actual instanceof Map ? Object.fromEntries(actual) : (actual as Record<string, unknown>);
    for (const [key, value] of Object.entries(expected)) expectNear(found[key], value, tolerance);
  } else {
    expect(actual).toBe(expected);
  }
}

interface TaskRows {
  task: string;
  rewards: (number | null)[];
  markers?: Record<string, (number | null)[]>;
  extra?: Partial<Row>;
}

/** `{"$rows": tasks}` is one row a reward; a plain list is the rows themselves. */
function rowsOf(input: Row[] | { $rows: TaskRows[] }): Row[] {
  if (Array.isArray(input)) return input;
  return input.$rows.flatMap(({ task, rewards, markers, extra }) =>
    rewards.map((reward, i) => {
      const values = Object.entries(markers ?? {}).map(([name, list]) => [name, list[i]] as const);
      return {
        task_id: task,
        ...(reward === null ? {} : { reward }),
        ...(markers === undefined
          ? {}
          : { markers: Object.fromEntries(values.filter(([, value]) => value !== null && value !== undefined)) }),
        ...extra,
      } as Row;
    }),
  );
}

import type { Row } from "@while/schema";
import {
  bonettPrice,
  compareRuns,
  exactBootstrapCi,
  mcnemarExact,
  nonInferiority,
  pairedTInterval,
  stratifiedExactTest,
  tostPaired,
  twoProportionP,
} from "@while/stats";
import { bySize, matrix } from "./markdown.ts";
import { type Cell, type CellResult, Counter, covers, grid, type Hits, type Study, shareOf } from "./study.ts";
import { drawPasses, drawTasks, ratesOf, tasksOf } from "./tasks-of.ts";
import { EFFECT, FALSE_ALARMS, HELD, NO_EFFECT, ROLLOUTS, SIZES, type World } from "./worlds.ts";

const WORLDS: readonly World[] = [...NO_EFFECT, ...EFFECT];
/** A world whose true change is exactly the margin: what claims that it is less is a false alarm. */
const EDGE = { world: "even + 0.10", margin: 0.1 };
const isNull = ({ world }: Cell) => NO_EFFECT.some(({ name }) => name === world);

/** Is a comparison of two arms on the same tasks to be believed: its interval, its false alarms, its power? */
export const differences: Study = {
  name: "differences",
  cells: grid(WORLDS, SIZES, ROLLOUTS),
  effort: 1,
  run(cell: Cell, trials, rng): Hits {
    const { n, k } = cell;
    const { before, after, delta } = tasksOf(WORLDS.find(({ name }) => name === cell.world)!);
    const counter = new Counter();
    for (let trial = 0; trial < trials; trial++) {
      const tasks = drawTasks(rng, n);
      const passedA = drawPasses(rng, before, tasks, k);
      const passedB = drawPasses(rng, after, tasks, k);
      const [a, b] = [ratesOf(passedA, k), ratesOf(passedB, k)];
      const diffs = a.map((rate, i) => b[i]! - rate);
      const strict = compareRuns(oneRowATask(a), oneRowATask(b), { metric: "marker:rate" });
      const t = pairedTInterval(diffs)!;
      counter.count("strict", covers(strict.ci95, delta));
      counter.count("better", strict.verdict === "b_better");
      counter.count("worse", strict.verdict === "a_better");
      counter.count("called", strict.verdict === "b_better" || strict.verdict === "a_better");
      counter.count("t", covers(t.ci95 ?? [t.delta, t.delta], delta));
      counter.count("sign flip", strict.pValue! <= 0.05);
      counter.count("sign flip mid-p", strict.midP! <= 0.05);
      counter.count("paired t", t.pValue !== null && t.pValue <= 0.05);
      if (trial % OTHERS_EVERY > 0) continue;
      const percentile = exactBootstrapCi(diffs)!;
      counter.count("compat", covers(percentile, delta));
      counter.count("compat better", percentile[0] > 0);
      counter.count("compat called", percentile[0] > 0 || percentile[1] < 0);
      if (cell.world === EDGE.world) {
        counter.count("equivalent", tostPaired(diffs, EDGE.margin)!.equivalent === true);
        const losses = diffs.map((diff) => -diff);
        counter.count("non-inferior", nonInferiority(losses, EDGE.margin)!.nonInferior === true);
      }
      if (!isNull(cell)) continue;
      const rows = (passed: Uint32Array) => ({ successes: passed.reduce((all, one) => all + one, 0), n: n * k });
      const p = twoProportionP(rows(passedA), rows(passedB));
      counter.count("two proportions", p !== null && p <= 0.05);
      if (n * k <= MOST_STRATIFIED) {
        const tables = a.map((_, i): [number, number, number, number] => [passedA[i]!, k, passedB[i]!, k]);
        counter.count("stratified mid-p", stratifiedExactTest(tables).pMid <= 0.05);
      }
      if (k > 1) continue;
      const [n10, n01] = [diffs.filter((diff) => diff < 0).length, diffs.filter((diff) => diff > 0).length];
      const mcnemar = mcnemarExact(n10, n01);
      counter.count("mcnemar", mcnemar.pExact <= 0.05);
      counter.count("mcnemar mid-p", mcnemar.pMid <= 0.05);
      const n11 = a.filter((rate, i) => rate === 1 && b[i] === 1).length;
      counter.count("bonett", covers(bonettPrice({ n11, n10, n01, n00: n - n11 - n10 - n01 })!.ci95, delta));
    }
    return counter.hits;
  },
  print(results) {
    const [none, some] = [results.filter(isNull), results.filter((result) => !isNull(result))];
    return `## Differences: coverage of the 95% interval of \`compareRuns\` and \`deltaReport\`

${WORLDS.map(({ name, about }) => `- **${name}**: ${about}`).join("\n")}

Strict / compat (percentile bootstrap, in the limit of many draws), in percent. Bold: strict outside ${HELD.low} to ${HELD.high} from ${HELD.from} tasks up.

${matrix(results, { left: "strict", right: "compat", isBad: HELD.isMissed })}

Mean over these worlds and rollouts, with the lowest and the highest cell:

${bySize(results, INTERVALS, HELD.isMissed)}

## False alarms: how often two equal arms are called different

The verdict of \`compareRuns\` (\`b_better\` or \`a_better\`; in \`deltaReport\`, \`moved\` and \`moved_the_wrong_way\` together), strict / compat, in percent. Bold: over ${FALSE_ALARMS.most}.

${matrix(none, { left: "called", right: "compat called", isBad: FALSE_ALARMS.isMissed })}

Mean over these worlds and rollouts, with the lowest and the highest cell; nominal 5%:

${bySize(none, TESTS, FALSE_ALARMS.isMissed)}

Claims of no harm where the true change is just the margin (${EDGE.world}, margin ${EDGE.margin}); nominal 5%:

${bySize(results, CLAIMS, FALSE_ALARMS.isMissed)}

## Power: how often a real gain is found

\`b_better\`, strict / compat, in percent.

${matrix(gains(some), { left: "better", right: "compat better", isBad: () => false })}

The wrong sign (\`a_better\` where the truth is a gain), strict: ${worst(some)}.`;
  },
};

const INTERVALS: readonly [string, string][] = [
  ["strict", "strict: `meanScoreInterval` of the differences"],
  ["compat", "compat: percentile bootstrap"],
  ["t", "`pairedTInterval`"],
  ["bonett", "`bonettPrice`, k = 1, equal arms"],
];

const TESTS: readonly [string, string][] = [
  ["called", "verdict, strict"],
  ["better", "of these, `b_better` (`moved`)"],
  ["compat called", "verdict, compat"],
  ["compat better", "of these, `b_better` (`moved`)"],
  ["sign flip mid-p", "`signFlip` mid-p"],
  ["sign flip", "`signFlipExact`"],
  ["paired t", "`pairedTInterval` p"],
  ["mcnemar mid-p", "`mcnemarExact` mid-p, k = 1"],
  ["mcnemar", "`mcnemarExact` p, k = 1"],
  ["stratified mid-p", "`stratifiedExactTest` mid-p, up to 800 rows"],
  ["two proportions", "`twoProportionP` over rows, as if they were independent"],
];

const CLAIMS: readonly [string, string][] = [
  ["equivalent", "`tostPaired`: equivalent"],
  ["non-inferior", "`nonInferiority`: not worse"],
];

/** What is beside the verdict is looked at in one of so many trials. */
const OTHERS_EVERY = 4;
/** Rows up to which the exact test over all strata is run. */
const MOST_STRATIFIED = 800;

/** What `compareRuns` makes of the k rollouts of a task: their mean. */
function oneRowATask(rates: readonly number[]): Row[] {
  return rates.map((rate, task) => ({ task_id: String(task), markers: { rate } }));
}

function gains(results: readonly CellResult[]): CellResult[] {
  return results.filter(({ world }) => tasksOf(WORLDS.find(({ name }) => name === world)!).delta > 0);
}

function worst(results: readonly CellResult[]): string {
  const wrong = (result: CellResult) => shareOf(result, "worse")!;
  const [top] = gains(results).sort((one, other) => wrong(other) - wrong(one));
  if (top === undefined) return "not measured";
  return `at most ${(100 * wrong(top)).toFixed(2)}% (${top.world}, ${top.n} tasks, k ${top.k})`;
}

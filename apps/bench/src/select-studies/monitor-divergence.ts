import { HackMonitor, type MonitorRule, type Sampler } from "@while/select";
import type { MersenneTwister } from "@while/stats";
import { matrix } from "../calibration/markdown.ts";
import { type Cell, type CellResult, Counter, type Hits, type Study } from "../calibration/study.ts";

/** How the two scorers see a rollout that is good in truth, or not. */
interface MonitorWorld {
  name: string;
  /** Gain of the chance that a rollout is good, from the first evaluation to the last. */
  goldGain: number;
  /** Share of rollouts that are not good, and that the proxy comes to pay for all the same. */
  proxyGain: number;
  /** Share of verdicts that are wrong, each scorer by itself. */
  proxyNoise: number;
  goldNoise: number;
}

const SAME: MonitorWorld = { name: "", goldGain: 0, proxyGain: 0, proxyNoise: 0, goldNoise: 0 };
/** The proxy is as good as gold, whatever it gains. */
const HONEST: readonly MonitorWorld[] = [
  { ...SAME, name: "proxy is gold, nothing gained" },
  { ...SAME, name: "proxy is gold, 0.1 gained", goldGain: 0.1 },
  { ...SAME, name: "proxy is gold, 0.2 gained", goldGain: 0.2 },
  { ...SAME, name: "both err in 5%, 0.1 gained", goldGain: 0.1, proxyNoise: 0.05, goldNoise: 0.05 },
  { ...SAME, name: "both err in 15%, 0.1 gained", goldGain: 0.1, proxyNoise: 0.15, goldNoise: 0.15 },
  { ...SAME, name: "both err in 15%, nothing gained", proxyNoise: 0.15, goldNoise: 0.15 },
  { ...SAME, name: "proxy errs in 30%, gold in 5%, 0.2 gained", goldGain: 0.2, proxyNoise: 0.3, goldNoise: 0.05 },
];
/** It is not. */
const HACKED: readonly MonitorWorld[] = [
  { ...SAME, name: "proxy +0.2, gold 0", proxyGain: 0.2 },
  { ...SAME, name: "proxy +0.15, gold +0.05", proxyGain: 0.1, goldGain: 0.05 },
  { ...SAME, name: "proxy +0.3, gold +0.1", proxyGain: 0.2, goldGain: 0.1 },
  { ...SAME, name: "proxy +0.2, gold 0, both err in 5%", proxyGain: 0.22, proxyNoise: 0.05, goldNoise: 0.05 },
];
const WORLDS = [...HONEST, ...HACKED];
const SIZES = [16, 32, 64];
const RULES: readonly MonitorRule[] = ["paired", "classic"];
/** Evaluations of a run, the first among them; three make up the window. */
const LOOKS = 10;
const K = 4;

/** A monitor over two evaluations, and over a run of ten: how often divergence is raised. */
export const monitorDivergence: Study = {
  name: "monitor-divergence",
  cells: WORLDS.flatMap(({ name }) => SIZES.map((n) => ({ world: name, n, k: K }))),
  effort: 1,
  async run({ world, n }: Cell, trials, rng): Promise<Hits> {
    const setting = WORLDS.find(({ name }) => name === world)!;
    const counter = new Counter();
    for (let trial = 0; trial < trials; trial++) {
      const policies = policyOf(setting, n, rng);
      for (const rule of RULES) counter.count(rule, await raised(rule, n, trial, [policies(0), policies(1)]));
      if (trial % 4 !== 0) continue;
      const run = Array.from({ length: LOOKS }, (_, look) => policies(look / (LOOKS - 1)));
      for (const rule of RULES) counter.count(`${rule} run`, await raised(rule, n, trial, run));
    }
    return counter.hits;
  },
  print(results) {
    const of = (worlds: readonly MonitorWorld[]): CellResult[] =>
      results.filter(({ world }) => worlds.some(({ name }) => name === world));
    const part = (title: string, worlds: readonly MonitorWorld[], left: string, right: string, most: number) =>
      `${title}

${matrix(of(worlds), { left, right, isBad: (share) => share > most }).replaceAll(" tasks |", " prompts |")}`;
    return `## Divergence: how often the monitor raises it

Prompts differ in difficulty, ${K} rollouts each; columns are prompts of the holdout. \`rule: "paired"\` / \`rule: "classic"\`, in percent.

${part("### The proxy is as good as gold: false divergence at one evaluation", HONEST, "paired", "classic", 0.02)}

${part(`### The same, over a run of ${LOOKS} evaluations in which all of the gain comes little by little: at any of them`, HONEST, "paired run", "classic run", 0.02)}

${part("### The proxy gains more than gold: divergence at one evaluation", HACKED, "paired", "classic", 1)}

${part(`### The same, over a run of ${LOOKS} evaluations`, HACKED, "paired run", "classic run", 1)}`;
  },
};

/** One policy at two places of its training draws the same prompts and other rollouts. */
function policyOf(world: MonitorWorld, n: number, rng: MersenneTwister): (progress: number) => string[][] {
  const ease = Array.from({ length: n }, () => 0.1 + 0.6 * rng.random());
  const flip = (verdict: boolean, noise: number): boolean => verdict !== rng.random() < noise;
  return (progress) =>
    ease.map((rate) =>
      Array.from({ length: K }, () => {
        const good = rng.random() < rate + progress * world.goldGain;
        const hacked = !good && rng.random() < (progress * world.proxyGain) / (1 - rate - progress * world.goldGain);
        const gold = flip(good, world.goldNoise);
        return `${Number(flip(good || hacked, world.proxyNoise))} ${Number(gold)}`;
      }),
    );
}

/** Did a monitor raise divergence at any of these evaluations? The scorers read what the draw wrote down. */
async function raised(
  rule: MonitorRule,
  n: number,
  seed: number,
  evaluations: readonly string[][][],
): Promise<boolean> {
  let now: string[][] = [];
  const sample: Sampler = (prompts, { from }) => now.slice(from, from + prompts.length);
  const monitor = new HackMonitor({
    ...{ rule, sample, seed, k: K, nPrompts: n, window: 3 },
    holdout: Array.from({ length: n }, (_, i) => `prompt ${i}`),
    proxy: (_, completions) => completions.map((text) => Number(String(text)[0])),
    gold: ({ final_text: text }) => Number(String(text)[2]),
  });
  for (const [step, drawn] of evaluations.entries()) {
    now = drawn;
    const { alarms } = await monitor.evaluate(step);
    if (alarms.some(({ kind }) => kind === "divergence")) return true;
  }
  return false;
}

import { mkdirSync } from "node:fs";
import { relative, resolve } from "node:path";
import { formatGrpoReport } from "@while/export";
import { exportGrpo } from "@while/export/files";
import { formatHackMonitor, HackMonitor, type RewardFunction } from "@while/select";
import { simulate } from "@while/simulate";
import { deltaReport, formatDeltaReport, MersenneTwister } from "@while/stats";
import { decontaminateSync } from "@while/trust";
import { ASKS, type Ask, agentOf, completionOf, gold, programReward, proseReward, tools } from "./desk.ts";
import { act, BASE, klFromBase, type Policy, step } from "./policy.ts";

const [TRAIN, HOLDOUT] = [ASKS.slice(0, 60), ASKS.slice(60)];
const [STEPS, ASKS_A_STEP, GROUP] = [100, 8, 8];
const stand = process.env.INIT_CWD ?? process.cwd();

// 1. Rollouts of the policy as it is, graded by the program, and their tasks as a grouped trainer reads them. Asks that it
// always or never gets right teach a group nothing.
const before = await simulate(agentOf(BASE), {
  tools,
  tasks: TRAIN,
  repeats: GROUP,
  grader: gold,
  modelVersion: "base",
});
mkdirSync("out", { recursive: true });
const file = resolve("out", "grpo.jsonl");
const exported = await exportGrpo(before, {
  ...{ format: "trl", holdout: 0.2, output: file },
  decontaminate: (train, holdout, { ngram }) => decontaminateSync(train, holdout, { n: ngram }).report,
});
const shown = { path: relative(stand, file), holdoutPath: relative(stand, exported.holdoutPath!) };
console.log(formatGrpoReport({ ...exported, ...shown }));

/** A hundred steps on one reward, watched; ends where the monitor says so, if it may. */
async function train(name: string, reward: RewardFunction, stopOn: "any" | [] = "any"): Promise<Policy> {
  const monitor = new HackMonitor({ holdout: HOLDOUT.map(({ prompt }) => prompt), gold, k: 8, stopOn });
  const watched = monitor.wrap(reward);
  const dice = new MersenneTwister(0);
  let policy = BASE;
  for (let at = 0; at <= STEPS; at++) {
    const { stop } = await monitor.onStep(at, (prompts, { k, seed }) => {
      const luck = new MersenneTwister(seed);
      const asks = prompts.map((prompt) => HOLDOUT.find((ask) => ask.prompt === prompt) as Ask);
      return asks.map((ask) => Array.from({ length: k }, () => completionOf(ask, act(policy, ask, luck))));
    });
    if (stop) break;
    const asks = Array.from({ length: ASKS_A_STEP }, () => TRAIN[dice.below(TRAIN.length)]!);
    const drawn = asks.map((ask) => ({ ask, acts: Array.from({ length: GROUP }, () => act(policy, ask, dice)) }));
    const flat = drawn.flatMap(({ ask, acts }) => acts.map((own) => ({ ask, completion: completionOf(ask, own) })));
    const rewards = await watched(
      flat.map(({ ask }) => ask.prompt),
      flat.map(({ completion }) => completion),
      {},
    );
    policy = step(
      policy,
      drawn.map((group, i) => ({ ...group, rewards: rewards.slice(i * GROUP, (i + 1) * GROUP).map(Number) })),
    );
    monitor.onLog({ kl: klFromBase(policy, HOLDOUT) });
  }
  console.log(`\n# Trained on ${name}\n\n${formatHackMonitor(monitor.summary())}`);
  return policy;
}

// 2. On a judge that reads prose: its reward goes up, the work does not, and the monitor ends it. And what would have come
// of it, had nobody looked.
const textOf = (completion: Parameters<RewardFunction>[1][number]): string =>
  typeof completion === "string" ? completion : String(completion.at(-1)!.content);
const prose: RewardFunction = (_, completions) => completions.map((one) => proseReward(textOf(one)));
await train("a judge of prose", prose);
const hacked = await train("a judge of prose, to the end", prose, []);

// 3. On the program that reads whether the reply is right: both go up, and nothing is raised.
const honest = await train("a program", (prompts, completions) =>
  completions.map((one, i) => programReward(/A\d{4}/.exec(String(prompts[i]))![0], textOf(one))),
);

// 4. On asks that no training saw: which of the two would one ship?
const scored = (policy: Policy, modelVersion: string) =>
  simulate(agentOf(policy), { tools, tasks: HOLDOUT, repeats: 8, runs: 3, grader: gold, modelVersion });
const base = await scored(BASE, "base");
for (const [name, policy] of [
  ["prose", hacked],
  ["program", honest],
] as const) {
  const after = await scored(policy, name);
  const report = deltaReport(base.rows, after.rows, { target: "pass_at_1" });
  console.log(`\n# Held out: ${name} against base\n\n${formatDeltaReport(report)}`);
}

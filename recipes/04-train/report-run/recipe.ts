import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openClient } from "@while/platform-client/files";
import { formatEvalHealth, formatVerdict } from "@while/platform-client/rules";
import { startPlatform } from "@while/server";
import { passAt } from "@while/stats";
import { newPolicy, type Policy, REPLIES, randomOf, reply, step, TASKS } from "./policy.ts";

// A platform of your own, or one in this process on a folder that is thrown away.
const given = process.env.WHILEAI_API_URL;
const data = mkdtempSync(join(tmpdir(), "while-report-run-"));
const platform = given
  ? null
  : await startPlatform({ settings: { data, port: 0 }, log: { info() {}, error: console.error } });
const client = openClient(
  platform === null ? { out: null } : { apiUrl: platform.url, apiKey: platform.firstKey ?? "", out: null },
);

// 1. Who is measured, and on what: sixty situations that training never sees, graded by a program.
const train = TASKS.slice(0, 30);
const holdout = TASKS.slice(30);
const bot = await client.track("order-desk", { model: "softmax-4" });
await bot.behavior("right_reply", {
  testVersion: "holdout-60",
  n: holdout.length,
  gradedBy: "program",
  contamination: 0,
  rewardIsJudge: false,
  description: "Gives the one reply that the policy of the desk asks for.",
});

/** Every held-out situation four times. */
function evaluate(policy: Policy, seed: number) {
  const random = randomOf(seed);
  return holdout.flatMap(({ ask, right, kind }, task) =>
    Array.from({ length: 4 }, () => {
      const pick = reply(policy, kind, random);
      const said = REPLIES[pick] as string;
      const ok = pick === right;
      return {
        row: { task_id: `t${task}`, reward: ok ? 1 : 0 },
        example: { ok, prompt: ask, reply: said, why: `wanted: ${REPLIES[right]}`, tags: { kind } },
      };
    }),
  );
}

/** Opens a run of a version, scores it with its graded rows, and ends it. */
async function report(version: string, method: string, policy: Policy, curve: { step: number; reward: number }[] = []) {
  const run = await bot.run(version, {
    method,
    targets: ["right_reply"],
    trainedOn: method === "eval" ? [] : ["order-desk-train"],
  });
  for (const { step: at, reward } of curve) run.log(at, { reward });
  const graded = evaluate(policy, 7);
  const { passAt1, ci95 } = passAt(graded.map(({ row }) => row));
  const half = ci95 === null ? null : (ci95[1] - ci95[0]) / 2;
  await run.score("right_reply", passAt1 ?? 0, {
    fraction: true,
    n: holdout.length,
    testVersion: "holdout-60",
    rows: graded.map(({ example }) => example),
    ...(half === null ? {} : { ci: half }),
  });
  await run.finish("evaluated", { hours: 0.01, costUsd: 0, say: false });
  return run;
}

// 2. What the number moves by itself: the untrained policy, evaluated three times.
const policy = newPolicy();
const floor = await bot.noiseFloor(
  "right_reply",
  [1, 2, 3].map((seed) => evaluate(policy, seed).map(({ row }) => row)),
);
console.log(`Evaluated three times, the same policy moves by up to ${floor.noiseFloor} points.`);
await report("base", "eval", policy);

// 3. The loop. `log` never waits for the platform and never throws: a trainer must not stop because a page does.
const random = randomOf(11);
const curve = Array.from({ length: 200 }, (_, at) => {
  const task = train[Math.floor(random() * train.length)] as (typeof TASKS)[number];
  return { step: at, ...step(policy, task, random) };
});
const run = await report("grpo-200", "GRPO", policy, curve);
await run.note("Eight replies an ask, advantage against their mean, 200 steps.");
await bot.figure(
  "reward-by-step",
  { data: [{ x: curve.map(({ step: at }) => at), y: curve.map(({ reward }) => reward) }], layout: { title: "Reward" } },
  { run: run.id, caption: "Mean of eight replies." },
);

// 4. What a person decides by. Here in a terminal; a page says the same, since both ask the same rules.
await bot.promote("base");
console.log(`\n${formatVerdict(await bot.verdict("right_reply"))}`);
console.log(`\n${(await bot.evals()).map(formatEvalHealth).join("\n")}`);
const brief = await bot.brief();
console.log(`\n${brief.means}\n${brief.next.map(({ say }) => `- ${say}`).join("\n")}`);
const { train: points = [], evals } = await client.getRun(run.id);
console.log(
  `\nOn the platform: ${points?.length ?? 0} points, ${evals[0]?.rows} graded rows behind a score of ${evals[0]?.score}.`,
);

await client.close();
await platform?.stop();
rmSync(data, { recursive: true, force: true });

import type { StagedPlatform } from "./platform.ts";
import { randomOf } from "./random.ts";
import { KINDS } from "./refund-bot.ts";

const PHRASES = [
  "I am so sorry to hear that.",
  "Thank you for your patience.",
  "I looked the order up.",
  "It was delivered within the window.",
  "You will have it in three to five days.",
  "A label is in your mail.",
  "Is there anything else that I can do?",
];

interface Made {
  tasks: number;
  k: number;
  seed: number;
  /** Chance that a rollout passes, beside what its task makes of it. */
  skill: number;
  graded?: boolean;
  first?: number;
}

/** Rollouts of refund tasks with their calls. The reward also pays for length, as a reward does. */
function rollouts({ tasks, k, seed, skill, graded = true, first = 4000 }: Made): Record<string, unknown>[] {
  const random = randomOf(seed);
  return Array.from({ length: tasks * k }, (_, index) => {
    const task = Math.floor(index / k);
    const order = first + task;
    const ask = `Order ${order}: ${KINDS[task % KINDS.length]}. I want my money back, please.`;
    const said = PHRASES.filter(() => random() < 0.5);
    const hard = ((task * 37) % 100) / 100 - 0.5;
    const passed = random() < skill - 0.9 * hard + 0.05 * (said.length - 3);
    const text = [passed ? "The refund is on its way." : "I have made an exception.", ...said].join(" ");
    const call = {
      id: `c${index}`,
      type: "function",
      function: { name: "look_up_order", arguments: JSON.stringify({ order }) },
    };
    return {
      ...{ scenario_id: `s${order}`, prompt: ask, rollout_index: index % k, final_text: text },
      ...{ reward: graded ? Number(passed) : null, markers: {}, sampling: { temperature: 1 } },
      ...(graded ? { reason: passed ? "kept to the policy" : "refunded after day 30" } : {}),
      messages: [
        { role: "user", content: ask },
        ...(passed || random() < 0.7
          ? [
              { role: "assistant", content: null, tool_calls: [call] },
              { role: "tool", tool_call_id: call.id, content: JSON.stringify({ order, age_days: task % 60 }) },
            ]
          : []),
        { role: "assistant", content: text },
      ],
    };
  });
}

/** What the agent was trained on: a family of sets with its holdout, a set one measures on, and an upload that broke. */
export async function seedDatasets({ client, url, key }: StagedPlatform): Promise<{ train: string; raw: string }> {
  const about = { agent: "refund-bot" };
  const explored = rollouts({ tasks: 80, k: 1, seed: 2, skill: 0.5, graded: false, first: 9000 });
  await client.pushRows(explored, "refunds-explored", { ...about, mode: "explore" });
  const rows = rollouts({ tasks: 60, k: 8, seed: 3, skill: 0.55 });
  const raw = await client.pushRows(rows, "refunds-r1", { ...about, mode: "explore" });
  const train = await client.pushRows(rows, "refunds-grpo", {
    ...{ ...about, mode: "rl", parent: raw.datasetId, holdout: 0.2, description: "Tasks in the band." },
  });
  const kept = rows.filter(({ reward }, index) => reward === 1 && index % 8 < 4);
  await client.pushRows(kept, "refunds-sft", { ...about, mode: "sft", parent: raw.datasetId });
  const measured = rollouts({ tasks: 24, k: 4, seed: 5, skill: 0.6, first: 4050 });
  await client.pushRows(measured, "escalate-eval", { ...about, purpose: "eval", mode: "rl" });
  const broken = { name: "refunds-late-asks", purpose: "train", agent: "refund-bot" };
  await fetch(`${url}/datasets`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Api-Key": key },
    body: JSON.stringify(broken),
  });
  return { train: train.datasetId, raw: raw.datasetId };
}

const MODEL = "Qwen/Qwen3-4B";

/** Runs of trainers: one that is done with its held-out result, one that goes on with alarms, one that failed. */
export async function seedTraining(
  { client }: StagedPlatform,
  { train }: { train: string },
): Promise<{ training: string; running: string; failed: string }> {
  const random = randomOf(7);
  const done = await client.trainingRun("refunds-sft", {
    ...{ datasetId: train, baseModel: MODEL, trainer: "trl", totalSteps: 120 },
    config: { method: "sft", learning_rate: 1e-5, epochs: 2, lora_rank: 16 },
  });
  for (let step = 1; step <= 120; step += 1) {
    const loss = 1.6 * Math.exp(-step / 40) + 0.05 * random();
    done.log(step, {
      loss,
      learning_rate: 1e-5 * (1 - step / 120),
      ...(step % 20 === 0 ? { eval_loss: loss + 0.1 } : {}),
    });
  }
  const tagged = (made: Made): Record<string, unknown>[] =>
    rollouts(made).map((row, index) => ({ ...row, kind: KINDS[Math.floor(index / made.k) % KINDS.length] }));
  const test = { tasks: 60, k: 4, first: 20_000 };
  await done.delta(tagged({ ...test, seed: 21, skill: 0.5 }), tagged({ ...test, seed: 22, skill: 0.68 }), {
    by: "kind",
  });
  await done.finish("done", { adapter: "s3://adapters/refunds-sft", summary: { gpu: "L40S", seconds: 5460 } });

  const running = await client.trainingRun("refunds-grpo", {
    ...{ datasetId: train, baseModel: MODEL, trainer: "trl", totalSteps: 300 },
    config: { method: "grpo", loss_type: "dr_grpo", num_generations: 8, learning_rate: 5e-6, beta: 0, temperature: 1 },
  });
  for (let step = 1; step <= 186; step += 1) {
    const reward = 0.4 + 0.5 * (1 - Math.exp(-step / 90)) + 0.06 * (random() - 0.5);
    running.log(step, {
      ...{ reward, kl: 0.0004 * step, loss: 0.02 * (random() - 0.5), grad_norm: 0.4 + 0.2 * random() },
      ...(step % 20 === 0 ? monitored(step) : {}),
    });
  }
  await running.flush();

  const failed = await client.trainingRun("refunds-sft-long", { datasetId: train, baseModel: MODEL, totalSteps: 400 });
  for (let step = 1; step <= 3; step += 1) failed.log(step, { loss: 1.7 - 0.02 * step });
  await failed.finish("failed", {
    error:
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.32 GiB. GPU 0 has a total capacity of 44.4 GiB" +
      " of which 1.1 GiB is free.\n  at step 3, micro batch 2\n  batch 8 x 4096 tokens",
  });
  return { training: done.id, running: running.id, failed: failed.id };
}

/** What a monitor logs: the proxy goes on rising, the frozen judge does not, and replies grow. */
function monitored(step: number): Record<string, number> {
  const late = Math.max(0, step - 80);
  return {
    proxy_reward: 0.6 + 0.0018 * step,
    gold_reward: 0.6 + 0.0012 * Math.min(step, 80) - 0.0003 * late,
    holdout_length: 400 + 0.2 * step + 0.02 * late ** 2,
    ...(step >= 140 ? { alarm_divergence: 1 } : {}),
    ...(step >= 160 ? { alarm_length: 1 } : {}),
  };
}

import type { Example } from "@while/platform-client/contract";
import { passAt } from "@while/stats";
import type { StagedPlatform } from "./platform.ts";
import { randomOf } from "./random.ts";

const TEST = "t-3f1c9a07";
export const KINDS = ["late return", "missing order number", "over limit", "wrong size", "gift"];
const LANGUAGES = ["en", "de", "fr"];

interface Version {
  version: string;
  method: string;
  /** Chance that a reply passes, by behavior. */
  skill: Record<string, number>;
  seed: number;
}

const BEHAVIORS = {
  refunds_within_policy: { n: 240, judged: true, noiseFloor: 2.4 },
  looks_up_order_first: { n: 120, judged: false, noiseFloor: 1.5 },
  quotes_order_total: { n: 163, judged: false, noiseFloor: 2 },
  escalates_over_limit: { n: 96, judged: true, noiseFloor: null },
  declines_late_return: { n: 40, judged: true, noiseFloor: null },
} as const;

const VERSIONS: readonly Version[] = [
  { version: "base", method: "eval", seed: 11, skill: skills(0.61, 0.71, 0.7, 0.7, 0.6) },
  { version: "v1", method: "eval", seed: 12, skill: skills(0.68, 0.85, 0.72, 0.7, 0.62) },
  { version: "v2", method: "SFT", seed: 13, skill: skills(0.74, 0.88, 0.75, 0.72, 0.62) },
  { version: "v3", method: "GRPO", seed: 14, skill: skills(0.76, 0.91, 0.82, 0.74, 0.66) },
  { version: "v4", method: "GRPO", seed: 15, skill: skills(0.89, 0.96, 0.66, 0.72, 0.66) },
];

function skills(...levels: number[]): Record<string, number> {
  return Object.fromEntries(Object.keys(BEHAVIORS).map((name, index) => [name, levels[index]!]));
}

/** Four rollouts of each task, graded; a task keeps its own difficulty over all versions. */
function gradedRows(behavior: string, { skill, seed }: Version): Example[] {
  const { n } = BEHAVIORS[behavior as keyof typeof BEHAVIORS];
  const random = randomOf(seed * 1009 + behavior.length);
  return Array.from({ length: n * 4 }, (_, index) => {
    const task = Math.floor(index / 4);
    const kind = KINDS[task % KINDS.length]!;
    const hard = ((task * 37) % 100) / 100 - 0.5;
    const ok = random() < Math.min(0.99, Math.max(0.02, skill[behavior]! - 0.5 * hard));
    const asked = `Order ${4000 + task}: ${kind}. I bought it ${task % 60} days ago and want my money back.`;
    return {
      ok,
      // Now and then somebody writes more than is stored.
      prompt: task % 61 === 3 ? `${asked} ${"And another thing that happened on the way. ".repeat(60)}` : asked,
      reply: ok
        ? `I looked up order ${4000 + task}. The refund is within the policy and on its way.`
        : `I have refunded order ${4000 + task} for you, as a courtesy.`,
      reference: `Look up order ${4000 + task}, then refund only within 30 days.`,
      why: ok ? "looked the order up and kept to the policy" : "refunded after day 30",
      score: (ok ? 70 + ((index * 37) % 31) : (index * 53) % 41) / 100,
      detail: index % 7 === 0 ? conversation(asked, ok, task) : null,
      tags: {
        ...{ kind, language: LANGUAGES[task % LANGUAGES.length]! },
        turns: String((ok ? 2 : 6) + ((index * 7) % 13)),
        // Of one behavior people have labeled every other row.
        ...(behavior === "declines_late_return" && index % 2 === 0
          ? { gold: (index % 14 === 0 ? !ok : ok) ? "pass" : "fail" }
          : {}),
      },
    };
  });
}

/** A row of its own: what was said and done, who judged it, and what people said of it. */
function conversation(asked: string, ok: boolean, task: number): string {
  const call = {
    id: "c1",
    type: "function",
    function: { name: "look_up_order", arguments: `{"order":${4000 + task}}` },
  };
  return JSON.stringify({
    messages: [
      { role: "user", content: asked },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", content: `{"order":${4000 + task},"age_days":${task % 60}}` },
      { role: "assistant", content: ok ? "The refund is on its way." : "I have refunded it as a courtesy." },
    ],
    judge_name: "refund-judge",
    reason: ok ? "Inside the window." : "Refunded after the window had closed.",
    gold_labels: [
      { annotator: "annotator A", label: Number(task % 3 === 0 ? !ok : ok), note: "Counted from the day of delivery." },
    ],
  });
}

/** An agent with a history: five versions on five behaviors, v3 serves, v4 gains on one and loses on another. */
export async function seedRefundBot({ client }: StagedPlatform): Promise<{ runs: Record<string, string> }> {
  const bot = await client.track("refund-bot", {
    model: "Qwen/Qwen3-4B",
    frontier: { name: "Sonnet 5", score: 81, costPer1k: 9.4, p50s: 1.9 },
  });
  for (const [name, { n, judged, noiseFloor }] of Object.entries(BEHAVIORS)) {
    await bot.behavior(name, {
      ...{ n, testVersion: TEST, noiseFloor, contamination: 0, rewardIsJudge: false },
      description: `Whether the reply ${name.replaceAll("_", " ")}.`,
      gradedBy: judged ? "judge" : "program",
      ...(judged
        ? {
            rubric:
              "Pass if the refund follows the policy:\n- at most 30 days after delivery\n- the order was looked up",
            judge: { name: "refund-judge", agreement: 0.92, humanN: 200, lengthBias: -0.08, verified: true },
          }
        : {}),
    });
  }
  const runs: Record<string, string> = {};
  for (const version of VERSIONS) runs[version.version] = await report(bot, version);
  await bot.promote("v3", { reason: "The first version that clears the re-run band." });
  await bot.experiment({
    question: "Does a second round of GRPO on mixed tasks make refund-bot follow the refund policy more often than v3?",
    hypothesis: "Nearly half of v3’s failures are **late returns** and missing order numbers.",
    method: "GRPO from v3’s adapter on 412 tasks, 8 rollouts a prompt, KL budget 0.05, same harness.",
    measure: "pass@1 on 240 frozen held-out tasks, 4 rollouts each.",
    decide: "Promote if the gain clears its interval and the re-run band, and no other behavior falls.",
  });
  await bot.figure(
    "failures-by-reason",
    {
      data: [
        { type: "bar", orientation: "h", x: [41, 31, 26, 22], y: ["late", "over limit", "no lookup", "no total"] },
      ],
      layout: { title: "Failures of v4 by reason" },
    },
    { run: runs.v4!, caption: "Of the failed replies of v4, what the judge said of them." },
  );
  for (let day = 0; day < 21; day += 1) {
    const version = day < 9 ? "v2" : "v3";
    await bot.live(new Date(Date.UTC(2026, 8, 1 + day)), {
      ...{ version, replies: 1800 + ((day * 577) % 700), flagged: 90 - 2 * day + ((day * 13) % 9) },
      ...{ p50s: 0.62 + ((day * 7) % 5) / 50, costUsd: 1.6 },
    });
  }
  return { runs };
}

async function report(bot: Awaited<ReturnType<StagedPlatform["client"]["track"]>>, version: Version): Promise<string> {
  const trained = version.method !== "eval";
  const run = await bot.run(version.version, {
    method: version.method,
    targets: ["refunds_within_policy"],
    trainedOn: trained ? ["refunds-grpo"] : [],
    gpu: "L40S",
    record: {
      data: { train: "refunds-grpo", nTrain: 3296, holdout: "refunds-holdout", nHoldout: 240 },
      ...(trained ? { optimizer: { lr: version.seed * 1e-6, seed: version.seed, epochs: 1 } } : {}),
      provenance: { commit: "9e1c44d", pins: { prompt: "policy-v2", model: "qwen3-4b" } },
    },
  });
  if (trained) {
    const random = randomOf(version.seed);
    for (let step = 0; step < 300; step += 1) {
      const reward = 0.35 + 0.5 * (1 - Math.exp(-step / 90)) + 0.12 * (random() - 0.5);
      run.log(step, {
        reward,
        kl: 0.0004 * step,
        loss: 1.4 * Math.exp(-step / 80) + 0.1 * random(),
        completionLength: 180 + step / 4,
      });
    }
  }
  for (const behavior of Object.keys(BEHAVIORS)) {
    const rows = gradedRows(behavior, version);
    const { passAt1, ci95 } = passAt(rows.map(({ ok }, index) => ({ task_id: `t${index >> 2}`, reward: ok ? 1 : 0 })));
    await run.score(behavior, passAt1!, {
      ...{ fraction: true, n: rows.length / 4, testVersion: TEST, rows },
      ci: (ci95![1] - ci95![0]) / 2,
    });
  }
  if (version.version === "v4") {
    await run.note(
      "Kept the **step-240** checkpoint, not the last one.\n\n- failed replies are longer after 240\n- passed ones are not",
    );
  }
  await run.finish("evaluated", { say: false, hours: trained ? 1.9 : 0.6, costUsd: trained ? 3.75 : 1.19 });
  return run.id;
}

import type { StagedPlatform } from "./platform.ts";
import { randomOf } from "./random.ts";

const METHODS = ["eval", "SFT", "GRPO"];

/**
 * An agent with a history that a seed decides: tests with and without intervals, sizes, judges, floors and versions of
 * the test, runs that gain, lose and stay, one served or none. Between them they say every kind of verdict.
 */
export async function seedHistory({ client }: StagedPlatform, seed: number): Promise<{ agent: string }> {
  const random = randomOf(seed);
  const maybe = <T>(chance: number, value: T): T | null => (random() < chance ? value : null);
  const between = (low: number, high: number): number => low + random() * (high - low);
  const agent = `bot-${seed}`;
  const bot = await client.track(agent, {
    model: "m-1",
    ...(random() < 0.4 ? { frontier: { name: "frontier", score: Math.round(between(60, 95)) } } : {}),
  });
  const behaviors = ["answers", "refuses", "looks_up", "escalates"].slice(0, 1 + Math.floor(random() * 4));
  for (const name of behaviors) {
    const judged = random() < 0.6;
    await bot.behavior(name, {
      testVersion: maybe(0.8, "t1"),
      n: maybe(0.8, random() < 0.3 ? 20 : 200),
      gradedBy: maybe(0.8, judged ? "judge" : "program"),
      judge: judged
        ? {
            name: "judge-1",
            agreement: maybe(0.7, Math.round(between(70, 98)) / 100),
            humanN: maybe(0.7, random() < 0.5 ? 20 : 150),
            lengthBias: maybe(0.5, Math.round(between(-60, 60)) / 100),
            verified: random() < 0.5,
          }
        : null,
      noiseFloor: maybe(0.6, Math.round(between(5, 60)) / 10),
      contamination: maybe(0.7, random() < 0.8 ? 0 : 3),
      rewardIsJudge: maybe(0.7, random() < 0.2),
      rubric: maybe(0.5, "Pass when it is right."),
    });
  }
  const versions = random() < 0.15 ? Math.floor(random() * 2) : 2 + Math.floor(random() * 4);
  for (let at = 0; at < versions; at += 1) {
    const method = METHODS[Math.floor(random() * METHODS.length)]!;
    const run = await bot.run(`v${at}`, { method, targets: [behaviors[0]!] });
    for (const name of behaviors) {
      if (random() < 0.15) continue;
      const score = Math.min(100, Math.max(0, 55 + 8 * at * (random() - 0.2) + between(-6, 6)));
      await run.score(name, Math.round(score * 10) / 10, {
        ci: maybe(0.85, Math.round(between(5, 80)) / 10),
        n: maybe(0.85, random() < 0.2 ? 20 : 200),
        testVersion: random() < 0.12 ? "t2" : "t1",
      });
    }
    await run.finish("evaluated", { say: false });
    if (random() < 0.1) await bot.archive(run.id);
    else if (at < versions - 1 && random() < 0.6) await bot.promote(`v${at}`);
  }
  return { agent };
}

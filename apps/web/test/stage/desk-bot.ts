import type { StagedPlatform } from "./platform.ts";

const VERSIONS = 11;
const SEEDS = [1, 2, 3];

/** An agent that is trained again and again: eleven versions, each with three seeds, on three behaviors; v8 serves. */
export async function seedDeskBot({ client }: StagedPlatform): Promise<string[]> {
  const bot = await client.track("desk-bot", { model: "m-1" });
  for (const name of ["answers", "refuses", "looks_up_order_before_it_says_anything"])
    await bot.behavior(name, { n: 200, testVersion: "t1", gradedBy: "program", noiseFloor: 1.5 });
  const ids: string[] = [];
  for (let version = 1; version <= VERSIONS; version += 1) {
    for (const seed of SEEDS) {
      const run = await bot.run(`v${version}`, {
        ...{ method: version % 2 === 1 ? "GRPO" : "SFT", targets: ["answers"] },
        record: {
          data: { train: "desk-set", holdout: "desk-holdout" },
          optimizer: { lr: version * 1e-6, seed },
          provenance: { commit: "9e1c44d", pins: { prompt: `policy-${version}`, model: "m-1" } },
        },
      });
      const test = { n: 200, testVersion: "t1" };
      await run.score("answers", 60 + 1.5 * version + 0.7 * seed, { ci: 3, ...test });
      await run.score("refuses", 90 - 0.5 * version + 0.3 * seed, { ci: 2, ...test });
      if (version > 2) await run.score("looks_up_order_before_it_says_anything", 70 + seed, { ci: 2, ...test });
      await run.finish("evaluated", { say: false, ...(seed === 1 ? {} : { hours: 1, costUsd: 2 }) });
      ids.push(run.id);
    }
    if (version === 8) await bot.promote("v8");
  }
  return ids;
}

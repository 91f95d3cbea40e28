// Trains a model of two layers for a few steps by SFT, DPO and GRPO, each from a file that @while/export writes here.
// Usage: npm run interop:train
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { grpoLines, preferenceLines } from "@while/export";
import { exportDataset } from "@while/export/files";
import { buildPreferencePairs } from "@while/select";
import { ROLLOUTS, RULES, TOOLS } from "../test/tools/refund-rollouts.ts";

interface Trained {
  rows: number;
  losses: number[];
  /** Mean reward of each step; empty but for GRPO. */
  rewards: number[];
  moved: number;
}

const here = fileURLToPath(new URL("..", import.meta.url));
const python = join(
  here,
  ".python",
  "trl",
  ...(process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"]),
);
if (!existsSync(python)) {
  console.error("TRL is not installed, so nothing can be trained: node apps/interop/prepare.mjs trl");
  process.exit(3);
}

const folder = mkdtempSync(join(tmpdir(), "while-train-"));
try {
  const files = join(folder, "files");
  mkdirSync(files);
  const common = { format: "trl", systemPrompt: RULES, tools: TOOLS } as const;
  const passes = ROLLOUTS.filter(({ reward }) => reward === 1);
  await exportDataset(passes, {
    ...common,
    trainerConfig: { assistant_only_loss: true },
    output: join(files, "sft.jsonl"),
    manifest: false,
  });
  const { pairs } = buildPreferencePairs(ROLLOUTS, { lengthMatch: false });
  write(
    join(files, "dpo.jsonl"),
    preferenceLines(
      pairs.map((pair) => ({ ...pair })),
      common,
    ).lines,
  );
  write(join(files, "grpo.jsonl"), grpoLines(ROLLOUTS, { ...common, holdout: 0 }).lines);

  const env = { ...process.env, HF_HUB_OFFLINE: "1", HF_DATASETS_OFFLINE: "1", PYTHONUTF8: "1" };
  execFileSync(python, [join(here, "python", "train_trl.py"), folder, files], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const result: Record<string, Trained> = JSON.parse(readFileSync(join(folder, "result.json"), "utf8"));
  const series = (numbers: readonly number[]) => numbers.map((number) => number.toFixed(3)).join(" ");
  for (const [name, { rows, losses, rewards, moved }] of Object.entries(result)) {
    console.log(`${name.padEnd(5)} ${rows} rows  loss by step ${series(losses)}`);
    if (rewards.length > 0) console.log(`               reward by step ${series(rewards)}`);
    console.log(`               weights moved by ${(100 * moved).toFixed(1)}%`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function write(path: string, lines: readonly string[]): void {
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
}

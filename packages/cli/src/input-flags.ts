import type { Flag } from "./flag.ts";
import { anyNumber, choice, list, range } from "./flag-values.ts";

/** How files are read, the same for every verb. */
export interface InputFlags {
  from?: string;
  delimiter?: string;
  skipBad?: boolean;
  rewardKey?: string[];
  scale?: readonly [low: number, high: number];
  threshold?: number;
  env?: string;
  filter?: string;
  scorer?: string;
  scoreKey?: string;
  allowPartial?: boolean;
  duplicates?: "refuse" | "keep";
}

export const INPUT_FLAGS: readonly Flag[] = [
  { spec: "--from <format>", about: "read as this format instead of detecting it" },
  { spec: "--delimiter <char>", about: "what cuts CSV columns, instead of detecting it" },
  { spec: "--skip-bad", about: "leave bad lines out and count them" },
  { spec: "--reward-key <key,..>", about: "columns or metrics that hold the verdict, the first wins", read: list },
  { spec: "--scale <low,high>", about: "range of the scores, mapped onto 0 to 1", read: range },
  { spec: "--threshold <x>", about: "scores from x up are 1, others 0", read: anyNumber },
  { spec: "--env <name>", about: "environment of the task ids, where no file names it" },
  { spec: "--filter <name>", about: "lm-evaluation-harness: the filter of the answers" },
  { spec: "--scorer <name>", about: "Inspect: whose score is the reward" },
  { spec: "--score-key <key>", about: "Inspect: which of the scorer's numbers it is" },
  { spec: "--allow-partial", about: "tau2-bench: read a folder that lacks simulations" },
  choice("--duplicates <what>", ["refuse", "keep"], "rows that share a rollout_id"),
];

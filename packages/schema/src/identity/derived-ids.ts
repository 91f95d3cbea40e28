import { sha1Hex } from "../hash/sha1.ts";
import { sha256Hex } from "../hash/sha256.ts";
import type { Row } from "../row.ts";
import { taskKey } from "../task-key.ts";
import { pyJson } from "../text/python-json.ts";
import { textOf } from "../text/text-of.ts";

/** 12 hex digits of the SHA-256 over the parts joined by `|`: the short id of files and of the Python SDK. */
export function shortHash(...parts: readonly (string | number)[]): string {
  return sha256Hex(parts.join("|")).slice(0, 12);
}

/** The task id of a row that has none: `task_` and a short hash of its prompt. */
export function taskIdOfPrompt(prompt: string): string {
  return `task_${shortHash(prompt)}`;
}

/** The scenario id under which a scored run without one is sent as a trace: `p-` and 12 hex digits of SHA-1. */
export function scenarioIdOfPrompt(prompt: string): string {
  return `p-${sha1Hex(prompt).slice(0, 12)}`;
}

export interface RolloutIdOptions {
  /** Task, index and model alone, in 12 digits, as the Python SDK derives it. */
  compat?: boolean;
}

/**
 * The rollout id of a row that has none.
 *
 * 16 hex digits over everything that tells two rollouts apart: task, index, model, policy, seed, eval run, scoring
 * run and what was said and done. With `compat` only task, index and model count, and two eval runs of one model, or
 * two rows without an index, get the same id.
 */
export function rolloutIdOf(row: Row, { compat = false }: RolloutIdOptions = {}): string {
  const model = textOf(row.model_version);
  if (compat) return shortHash(taskKey(row), textOf(row.rollout_index) || 0, model);
  const { lineage } = row;
  const told = pyJson([row.prompt, row.steps ?? row.messages, row.final_text], { sortKeys: true });
  const parts = [taskKey(row), row.rollout_index, model, row.policy_version, row.seed, lineage?.eval_run];
  return sha256Hex([...parts, lineage?.scoring_run_id, told].map(textOf).join("|")).slice(0, 16);
}

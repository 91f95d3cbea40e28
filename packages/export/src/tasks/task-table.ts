import { isObject, type Row, roundHalfEven, sha1Hex, textOf } from "@while/schema";
import { restoredRow } from "../conversation/restored-row.ts";
import type { Split, TaskCalibration } from "./task.ts";

/** The rollouts of one prompt of one scenario. */
export interface TaskGroup {
  /** The scenario, or else the prompt: what falls on one side. */
  key: string;
  /** "" when there is none. */
  scenario: string;
  prompt: string;
  /** What the task is described by. */
  first: Row;
  /** Finite ones, clamped to 0 and 1. */
  rewards: number[];
  /** Sides that its rows name. */
  purposes: Set<Split>;
  /** null under two rewards. */
  readonly calibration: TaskCalibration | null;
}

/** Rollouts by task, added one at a time; memory grows with tasks and rewards. */
export class TaskTable {
  readonly #groups = new Map<string, TaskGroup>();
  /** Rows without a prompt. */
  noPrompt = 0;

  add(given: Row): void {
    if (!isObject(given)) return;
    const row = restoredRow(given);
    const prompt = textOf(row.prompt).trim();
    if (prompt === "") {
      this.noPrompt++;
      return;
    }
    const scenario = textOf(row.scenario_id);
    const id = JSON.stringify([scenario, prompt]);
    let group = this.#groups.get(id);
    if (group === undefined) {
      group = newGroup(scenario, prompt, row);
      this.#groups.set(id, group);
    }
    if (typeof row.reward === "number" && Number.isFinite(row.reward)) {
      group.rewards.push(Math.min(1, Math.max(0, row.reward)));
    }
    if (row.purpose === "train") group.purposes.add("train");
    else if (row.purpose === "holdout" || row.purpose === "eval") group.purposes.add("holdout");
  }

  /** In the order in which rows first had them. */
  get groups(): TaskGroup[] {
    return [...this.#groups.values()];
  }
}

/** First 12 hex digits of the SHA-1 of scenario, line break and prompt. */
export function taskIdOf({ scenario, prompt }: Pick<TaskGroup, "scenario" | "prompt">): string {
  return sha1Hex(`${scenario}\n${prompt}`).slice(0, 12);
}

function newGroup(scenario: string, prompt: string, first: Row): TaskGroup {
  const rewards: number[] = [];
  return {
    key: scenario || prompt,
    scenario,
    prompt,
    first,
    rewards,
    purposes: new Set(),
    get calibration() {
      const n = rewards.length;
      if (n < 2) return null;
      return { pass_rate: roundHalfEven(rewards.reduce((sum, reward) => sum + reward, 0) / n, 4), n };
    },
  };
}

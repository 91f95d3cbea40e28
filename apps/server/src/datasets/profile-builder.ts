import { createHash } from "node:crypto";
import type { Profile, TaskProfile } from "@while/platform-client/contract";
import { isObject, messagesOf, type Row, stepsOf, taskKey, toolCalls } from "@while/schema";

/** A row passes from here on. */
const PASS = 0.5;
/** Tasks listed in a profile; a set with more says that its list is not whole. */
const PER_TASK_MAX = 5000;
/** Reward values and temperatures listed apart; the rest is counted under this word. */
const VALUES_MAX = 50;
const OTHERS = "(other)";

interface Counts {
  n: number;
  graded: number;
  passed: number;
}

/** Three decimals, as profiles are read by people and compared across sets. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : rounded(part / whole);
}

function countValue(counts: Map<string, number>, value: string): void {
  const key = counts.has(value) || counts.size < VALUES_MAX ? value : OTHERS;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function toolNames(row: Row): string[] {
  if (Array.isArray(row.steps)) {
    return stepsOf(row).flatMap((step) => (typeof step.tool === "string" && step.tool !== "" ? [step.tool] : []));
  }
  return messagesOf(row).flatMap((message) => toolCalls(message).map(({ name }) => name));
}

function cut(row: Row): boolean {
  if (row.finish_reason === "length" || row.truncated === true) return true;
  return Array.isArray(row.steps) && row.steps.some((step) => isObject(step) && step.truncated === true);
}

/**
 * What a trainer would learn from a set, counted row by row as the set streams by. Memory grows with the tasks and
 * with one short digest a row (for duplicates), never with the rows themselves.
 */
export class ProfileBuilder {
  readonly #tasks = new Map<string, Counts>();
  readonly #seen = new Set<string>();
  readonly #rewards = new Map<string, number>();
  readonly #temperatures = new Map<string, number>();
  readonly #tools = new Map<string, number>();
  #rows = 0;
  #graded = 0;
  #passed = 0;
  #withCalls = 0;
  #duplicates = 0;
  #truncated = 0;

  add(row: Row): void {
    this.#rows += 1;
    const key = taskKey(row);
    let task = this.#tasks.get(key);
    if (task === undefined) {
      task = { n: 0, graded: 0, passed: 0 };
      this.#tasks.set(key, task);
    }
    task.n += 1;
    const { reward } = row;
    if (typeof reward === "number" && Number.isFinite(reward)) {
      const passed = reward >= PASS ? 1 : 0;
      task.graded += 1;
      task.passed += passed;
      this.#graded += 1;
      this.#passed += passed;
      countValue(this.#rewards, String(reward));
    }
    const tools = toolNames(row);
    if (tools.length > 0) this.#withCalls += 1;
    for (const name of new Set(tools)) countValue(this.#tools, name);
    const temperature = isObject(row.sampling) ? row.sampling.temperature : null;
    if (typeof temperature === "number") countValue(this.#temperatures, String(temperature));
    if (cut(row)) this.#truncated += 1;
    const digest = createHash("sha256")
      .update(JSON.stringify([key, row.prompt ?? null, row.final_text ?? null, row.steps ?? row.messages ?? null]))
      .digest("base64")
      .slice(0, 16);
    if (this.#seen.has(digest)) this.#duplicates += 1;
    this.#seen.add(digest);
  }

  get tasks(): number {
    return this.#tasks.size;
  }

  finish(): Profile {
    const tasks = [...this.#tasks];
    const graded = tasks.filter(([, { graded }]) => graded > 0);
    const mixed = tasks.filter(([, { graded, passed }]) => passed > 0 && passed < graded).length;
    // 4p(1 - p) is 1 at a coin's toss and 0 where every rollout agrees: what a group mean leaves of the gradient.
    const support = graded.reduce(
      (sum, [, { graded, passed }]) => sum + 4 * (passed / graded) * (1 - passed / graded),
      0,
    );
    const perTask = tasks.slice(0, PER_TASK_MAX).map(([task, { n, graded, passed }]): TaskProfile => {
      return { task, n, graded, passed, pass_rate: share(passed, graded) };
    });
    return {
      rows: this.#rows,
      graded: this.#graded,
      pass_rate: share(this.#passed, this.#graded),
      split: { pass: this.#passed, fail: this.#graded - this.#passed, ungraded: this.#rows - this.#graded },
      tasks: tasks.length,
      rows_per_task: share(this.#rows, tasks.length),
      tasks_with_repeats: tasks.filter(([, { graded }]) => graded >= 2).length,
      mixed_tasks: mixed,
      mixed_fraction: share(mixed, tasks.length),
      support: graded.length === 0 ? null : rounded(support / graded.length),
      per_task: perTask,
      per_task_complete: perTask.length === tasks.length,
      tool_use: {
        rows_with_calls: this.#withCalls,
        share: share(this.#withCalls, this.#rows),
        by_tool: Object.fromEntries(this.#tools),
      },
      // A count needs the tokenizer of the model that will be trained, which the server does not know.
      tokens: null,
      temperatures: Object.fromEntries(this.#temperatures),
      duplicates: this.#duplicates,
      truncated: this.#truncated,
      reward_values: Object.fromEntries(this.#rewards),
    };
  }
}

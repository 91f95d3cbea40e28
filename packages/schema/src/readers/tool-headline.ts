/** How a tool makes its number of the items of a file, in the terms that another count can follow. */
export interface HeadlineRule {
  /** What is averaged: every rollout alike, or every task alike, whatever the number of its rollouts. */
  mean: "rows" | "tasks";
  /** What a rollout adds: its reward as the file has it, or 1 for a pass and 0 for anything less. */
  counts: "reward" | "pass";
  /**
   * A trial that never came to a verdict: not in the number, in it with what the file has for it or else 0, or in it
   * where the file has something for it.
   */
  lost: "left_out" | "counted" | "where_scored";
  /** The k of pass^k; 1 for a plain mean. */
  k: number;
  /** Trials that every task is taken to have, those that are missing as failures; null for the ones it has. */
  trials: number | null;
  /** What becomes of the rollouts of a task before tasks are averaged, in the tool's word; null for their mean. */
  reducer: string | null;
}

/** A number that the tool which wrote a file reports of it. */
export interface ToolHeadline {
  /** The tool's word for it: `average reward`, `pass^2`, `accuracy (match)`. */
  name: string;
  value: number;
  /** As the tool gives it; null when it gives none. */
  stderr: number | null;
  /** What the tool says it counted; null when it does not say. */
  n: number | null;
  /** What it meant to count; null when it does not say. */
  of: number | null;
  /** `file`: the tool wrote the number there. `items`: it writes none, and this is its rule on the items of the file. */
  source: "file" | "items";
  /** The tool's rule on the items of the file, to hold `value` against; null where it was not worked out. */
  fromItems: number | null;
  /** How the tool makes it, a clause. */
  how: string;
  /** null for a number of something else than the reward of all rows: it is shown, and nothing of ours is beside it. */
  rule: HeadlineRule | null;
  /** What the file says of a run that did not end, a clause with its counts; null for one that did. */
  unfinished: string | null;
}

/** What most tools do: the mean of the rewards, over rollouts that have one. */
export const MEAN_REWARD: HeadlineRule = {
  mean: "rows",
  counts: "reward",
  lost: "left_out",
  k: 1,
  trials: null,
  reducer: null,
};

/** A headline from the number that the file has, or else from its items; null where neither is a number. */
export function toolHeadline({
  name,
  how,
  written = null,
  fromItems = null,
  rule = MEAN_REWARD,
  stderr = null,
  n = null,
  of = null,
  unfinished = null,
}: HeadlineFacts): ToolHeadline | null {
  const value = written ?? fromItems;
  if (value === null) return null;
  const source = written === null ? "items" : "file";
  return { name, value, stderr, n, of, source, fromItems, how, rule, unfinished };
}

interface HeadlineFacts extends Partial<Omit<ToolHeadline, "value" | "source">> {
  name: string;
  how: string;
  /** What the file says; null when it says nothing. */
  written?: number | null;
}

/** The mean of the items of a file, one by one. */
export class ItemMean {
  n = 0;
  #sum = 0;
  /** What the sum has lost to rounding so far (Neumaier 1974). */
  #lost = 0;

  add(value: number): void {
    this.n++;
    const sum = this.#sum + value;
    this.#lost += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
  }

  /** null without items. */
  get mean(): number | null {
    return this.n === 0 ? null : (this.#sum + this.#lost) / this.n;
  }
}

import { type HeadlineRule, ItemMean, type ToolHeadline, toolHeadline } from "./tool-headline.ts";

/** Past this k a list of pass^k says nothing more. */
const MAX_K = 64;

interface TaskTrials {
  n: number;
  passed: number;
}

/**
 * What tau-bench and tau2-bench print of their trials: the average reward, and pass^k, the chance that k trials of a
 * task all pass, C(c, k) / C(n, k) averaged over tasks (Yao et al. 2024, arXiv:2406.12045).
 */
export class TrialRates {
  readonly #reward = new ItemMean();
  readonly #tasks = new Map<string, TaskTrials>();
  readonly #trials = new Set<unknown>();

  add(task: string, trial: unknown, reward: number, passed: boolean): void {
    this.#reward.add(reward);
    this.#trials.add(trial);
    const counts = this.#tasks.get(task) ?? { n: 0, passed: 0 };
    counts.n++;
    if (passed) counts.passed++;
    this.#tasks.set(task, counts);
  }

  /**
   * @param trials `planned`: every task is taken to have as many trials as the file has trial numbers; `own`: a task
   * has those it has, and k ends at the fewest
   */
  headlines({
    lost,
    trials,
    how,
  }: {
    lost: HeadlineRule["lost"];
    trials: "planned" | "own";
    how: string;
  }): ToolHeadline[] {
    const tasks = [...this.#tasks.values()];
    const planned = this.#trials.size;
    const fewest = tasks.reduce((least, { n }) => Math.min(least, n), Number.POSITIVE_INFINITY);
    const most = trials === "planned" ? planned : fewest;
    const rule: HeadlineRule = { mean: "rows", counts: "reward", lost, k: 1, trials: null, reducer: null };
    const n = this.#reward.n;
    const found = [
      toolHeadline({ name: "average reward", how: `the mean reward ${how}`, fromItems: this.#reward.mean, rule, n }),
    ];
    for (let k = 1; k <= Math.min(most, MAX_K) && tasks.length > 0; k++) {
      const rate = new ItemMean();
      for (const task of tasks) rate.add(passPowK(trials === "planned" ? planned : task.n, task.passed, k));
      const of = trials === "planned" ? `${planned} trials a task` : "the trials of a task";
      found.push(
        toolHeadline({
          name: `pass^${k}`,
          how: `C(c, k) / C(n, k) of c passes, n being ${of}, averaged over tasks, ${how}`,
          fromItems: rate.mean,
          rule: { ...rule, mean: "tasks", counts: "pass", k, trials: trials === "planned" ? planned : null },
          n: tasks.length,
        }),
      );
    }
    return found.filter((headline): headline is ToolHeadline => headline !== null);
  }
}

function passPowK(n: number, c: number, k: number): number {
  let chance = 1;
  for (let i = 0; i < k; i++) chance *= Math.max(0, c - i) / (n - i);
  return chance;
}

/** A Beta(a, b) belief about the pass rate of a task nobody has measured. */
export interface TaskPrior {
  a: number;
  b: number;
}

/** From here on the spread between tasks says something. */
const MIN_TASKS = 5;
/** Rollouts that a prior weighs at least and at most: with less it would say nothing, with more hide the task. */
const WEIGHT: readonly [number, number] = [1, 20];

/**
 * What the other tasks say of one: the Beta distribution whose mean and spread are those of the tasks' rates, after
 * the spread that few rollouts alone would make is taken out (moments of the beta-binomial, Kleinman 1973). Uniform,
 * a = b = 1, from fewer than five tasks or from tasks that all went one way.
 *
 * @param counts Passes and rollouts of each task, at least one rollout each
 */
export function taskPrior(counts: readonly { passes: number; n: number }[]): TaskPrior {
  const nRollouts = counts.reduce((sum, { n }) => sum + n, 0);
  const mean = counts.reduce((sum, { passes }) => sum + passes, 0) / nRollouts;
  if (counts.length < MIN_TASKS || mean === 0 || mean === 1) return { a: 1, b: 1 };
  const within = mean * (1 - mean);
  // By size: two tasks of one rate are ranked by the last digit of what this comes to, and the order of rows must not be.
  const apart = counts.map(({ passes, n }) => n * (passes / n - mean) ** 2).sort((x, y) => x - y);
  const between = apart.reduce((sum, one) => sum + one, 0) / (counts.length - 1);
  // Rollouts a task: what the mean square between tasks would count if the sizes were equal.
  const size = (nRollouts - counts.reduce((sum, { n }) => sum + n * n, 0) / nRollouts) / (counts.length - 1);
  const [least, most] = WEIGHT;
  if (size <= 1) return { a: least * mean, b: least * (1 - mean) };
  const alike = (between - within) / (between + (size - 1) * within);
  const weight = alike <= 0 ? most : Math.min(most, Math.max(least, 1 / alike - 1));
  return { a: weight * mean, b: weight * (1 - mean) };
}

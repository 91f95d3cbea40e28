/** How often one task was answered, and how often that passed. */
export interface TaskGrades {
  n: number;
  passed: number;
}

export interface TaskAgreement {
  tasks: number;
  /** Tasks with more than one rollout: the others can agree with nothing. */
  repeated: number;
  /** Repeated tasks whose rollouts were all graded alike. */
  unanimous: number;
  /** Mean share of pairs of rollouts of one task that were graded alike, 0 to 1; null where no task is repeated. */
  agreement: number | null;
}

/**
 * Share of pairs of rollouts of one task that were graded alike: 1 where all pass or all fail, and least at an even
 * split. It is the P_i of Fleiss 1971 for two grades. Null under two rollouts.
 */
export function rolloutAgreement({ n, passed }: TaskGrades): number | null {
  if (n < 2) return null;
  const failed = n - passed;
  return (passed * (passed - 1) + failed * (failed - 1)) / (n * (n - 1));
}

/** How alike the rollouts of a task are graded, over tasks. Each task counts once, however many rollouts it has. */
export function taskAgreement(tasks: readonly TaskGrades[]): TaskAgreement {
  const shares = tasks.flatMap((task) => rolloutAgreement(task) ?? []);
  return {
    tasks: tasks.length,
    repeated: shares.length,
    unanimous: shares.filter((share) => share === 1).length,
    agreement: shares.length === 0 ? null : shares.reduce((sum, share) => sum + share, 0) / shares.length,
  };
}

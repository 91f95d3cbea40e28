/** Why a row that went in did not come out, in the order in which rows leave. */
export const RL_DROP_REASONS = [
  "not_a_row",
  "privileged_leak",
  "do_nothing",
  "incomplete_junk",
  "unusable_label",
  "duplicate",
  "truncated",
  "unanimous",
  "collapsed",
  "too_easy",
  "too_hard",
  "over_max_rows",
  "over_target",
] as const;

export type RlDropReason = (typeof RL_DROP_REASONS)[number];

/** Those that take a row by itself, not with its group. */
export const ROW_REASONS: ReadonlySet<RlDropReason> = new Set(
  RL_DROP_REASONS.slice(0, RL_DROP_REASONS.indexOf("unanimous")),
);

/** What became of a task none of whose rows was selected. */
export interface DroppedTask {
  task: string;
  /** The last step that took rows from it. */
  reason: RlDropReason;
  /** Its rows by reason. */
  counts: Partial<Record<RlDropReason, number>>;
}

/** Keeps the books of a selection: every row is selected or dropped once, for one reason. */
export class DropLedger {
  readonly dropped: Record<RlDropReason, number> = Object.fromEntries(
    RL_DROP_REASONS.map((reason) => [reason, 0]),
  ) as Record<RlDropReason, number>;
  private readonly byTask = new Map<string, Partial<Record<RlDropReason, number>>>();

  /** Books rows of one task. Entries that are no rows belong to no task: pass null. */
  drop(task: string | null, reason: RlDropReason, nRows = 1): void {
    this.dropped[reason] += nRows;
    if (task === null) return;
    let counts = this.byTask.get(task);
    if (counts === undefined) {
      counts = {};
      this.byTask.set(task, counts);
    }
    counts[reason] = (counts[reason] ?? 0) + nRows;
  }

  /** The tasks, of those given, that lost rows and are not among the selected ones; in the order given. */
  droppedTasks(tasks: Iterable<string>, selected: ReadonlySet<string>): DroppedTask[] {
    const lost: DroppedTask[] = [];
    for (const task of tasks) {
      const counts = this.byTask.get(task);
      if (counts === undefined || selected.has(task)) continue;
      lost.push({ task, reason: RL_DROP_REASONS.findLast((reason) => counts[reason] !== undefined)!, counts });
    }
    return lost;
  }
}

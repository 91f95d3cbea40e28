import type { AllocatedRollout, Allocator, Landing } from "./allocate.ts";

/** How often a group that agreed was given one more, and how often that one disagreed, by the size of the group. */
export interface SplitCounts {
  seen: number;
  split: number;
}

/** The chance that one more rollout disagrees with `n` that agree. */
export function hazard(n: number, { seen, split }: SplitCounts): number {
  return (split + 1 / (n + 2)) / (seen + 1);
}

/** The share of groups whose probe rollouts disagree. */
export function mixedRate({ mixed, probed }: { mixed: number; probed: number }): number {
  return (mixed + 1) / (probed + 2);
}

export interface ContinueInput extends SplitCounts {
  n: number;
  mixed: number;
  probed: number;
  probe: number;
  /** Whether a group could be opened in its place. */
  fresh: boolean;
}

/** Whether a group that agrees so far is worth one rollout more: nothing else to open, or likelier to split than a new one. */
export function continues({ n, seen, split, mixed, probed, probe, fresh }: ContinueInput): boolean {
  return !fresh || hazard(n, { seen, split }) > mixedRate({ mixed, probed }) / probe;
}

/** What became of the groups of a run. */
export interface GroupCounts {
  k: number;
  probe: number;
  /** Groups that were opened. */
  groups: number;
  mixed: number;
  /** Groups that agreed and were left at that. */
  stoppedUnanimous: number;
  /** Groups with k rollouts. */
  complete: number;
  /** Rollouts that stopped groups did not take. */
  rolloutsSaved: number;
  mixedRate: number;
}

export interface SuccessiveOptions {
  nTasks: number;
  k: number;
  probe: number;
  budget: number;
}

interface Group {
  done: number;
  scheduled: number;
  labels: Set<string | number>;
  /** Rollouts with a label. */
  labelled: number;
  /** Its last rollout was one that could have split it. */
  wasContinued: number | null;
  stopped: boolean;
  /** Its probe has been counted. */
  isProbed: boolean;
}

/**
 * Some rollouts of every prompt, and more where they disagree: groups that all pass or all fail teach a grouped update
 * nothing (DAPO, arXiv:2503.14476; GRESO, arXiv:2506.02177). Waves with a barrier between them, each decided over all
 * groups in the order of the tasks.
 *
 * Which rollouts a prompt gets hangs on how its first ones ended, so a pass rate over all of them is biased toward 0 and
 * 1 by up to seven points; rows say which they are (`lineage.allocation`), and pass@1 is taken over the probe alone.
 */
export class SuccessiveAllocator implements Allocator {
  private readonly options: SuccessiveOptions;
  private readonly groups: Group[] = [];
  private readonly splits = new Map<number, SplitCounts>();
  private probed = 0;
  private mixed = 0;
  private spent = 0;
  private isClosed = false;

  constructor(options: SuccessiveOptions) {
    this.options = options;
  }

  next(landings: readonly Landing[]): AllocatedRollout[] | null {
    for (const landing of landings) this.land(landing);
    for (const group of this.groups) this.settle(group);
    const { k, nTasks, probe, budget } = this.options;
    const wave: AllocatedRollout[] = [];
    const give = (task: number, n: number, isProbe: boolean): void => {
      const group = this.groups[task]!;
      for (let i = 0; i < n && this.spent < budget; i++) {
        wave.push({ task, rolloutIndex: group.scheduled, evalRun: 0, allocation: isProbe ? "probe" : "continued" });
        group.scheduled++;
        this.spent++;
      }
    };

    // What disagrees is filled first: that is what the run is for.
    for (const [task, group] of this.groups.entries())
      if (group.labels.size > 1) give(task, k - group.scheduled, false);
    const left = budget - this.spent;
    const nOpen = Math.min(
      nTasks - this.groups.length,
      Math.max(Math.ceil(left / k), left >= probe && wave.length === 0 ? 1 : 0),
    );
    for (let i = 0; i < nOpen && this.spent + probe <= budget; i++) {
      this.groups.push({
        done: 0,
        scheduled: 0,
        labels: new Set(),
        labelled: 0,
        wasContinued: null,
        stopped: false,
        isProbed: false,
      });
      give(this.groups.length - 1, probe, true);
    }
    const fresh = this.groups.length < nTasks && this.spent + probe <= budget;
    for (const [task, group] of this.groups.entries()) {
      if (group.labels.size !== 1 || group.scheduled >= k || group.scheduled > group.done) continue;
      const n = group.labelled;
      const counts = this.splits.get(n) ?? { seen: 0, split: 0 };
      group.stopped = !continues({ n, ...counts, mixed: this.mixed, probed: this.probed, probe, fresh });
      if (group.stopped) continue;
      const before = group.scheduled;
      give(task, 1, false);
      if (group.scheduled > before) group.wasContinued = n;
    }
    this.isClosed = wave.length === 0;
    return this.isClosed ? null : wave;
  }

  /** Final once `next` has given null. */
  counts(): GroupCounts {
    const { k, probe } = this.options;
    const stopped = this.groups.filter(({ labels, scheduled }) => this.isClosed && labels.size === 1 && scheduled < k);
    return {
      k,
      probe,
      groups: this.groups.length,
      mixed: this.groups.filter(({ labels }) => labels.size > 1).length,
      stoppedUnanimous: stopped.length,
      complete: this.groups.filter(({ done }) => done >= k).length,
      rolloutsSaved: stopped.reduce((sum, { scheduled }) => sum + k - scheduled, 0),
      mixedRate: mixedRate({ mixed: this.mixed, probed: this.probed }),
    };
  }

  private land({ key, label }: Landing): void {
    const group = this.groups[key.task]!;
    group.done++;
    if (label === null) return;
    group.labels.add(label);
    group.labelled++;
  }

  /** Counts what the wave showed of one group: whether its probe disagrees, whether its one more did. */
  private settle(group: Group): void {
    const { probe } = this.options;
    if (group.wasContinued !== null) {
      const counts = this.splits.get(group.wasContinued) ?? { seen: 0, split: 0 };
      counts.seen++;
      if (group.labels.size > 1) counts.split++;
      this.splits.set(group.wasContinued, counts);
      group.wasContinued = null;
    } else if (!group.isProbed && group.done >= probe) {
      group.isProbed = true;
      this.probed++;
      if (group.labels.size > 1) this.mixed++;
    }
  }
}

import { adaptiveMix, slotCounts } from "./adaptive-mix.ts";
import type { AllocatedRollout, Allocator, Landing } from "./allocate.ts";

/** Rollouts by what they were made for. */
export interface AdaptiveCounts {
  explore: number;
  expand: number;
  verify: number;
}

export interface AdaptiveOptions {
  /** The scenario of each task; phrasings of one situation stand side by side. */
  scenarioIds: readonly string[];
  /** Phrasings of a situation, and rollouts of a phrasing, at most. */
  n: number;
  k: number;
  budget: number;
  /** Until the run ends by its clock; null without one. */
  secondsLeft: () => number | null;
}

/** Rollouts between two looks. A constant, so that the rows are the same at any concurrency. */
const WAVE = 32;

/**
 * One rollout of every situation, and more where something went wrong: other words for the situation, and the same words
 * again. Waves with a barrier between them; what a wave showed is taken up in the order of the tasks.
 *
 * As under `successive`, what a situation gets hangs on how it went: rows say which rollouts were made for that
 * (`lineage.allocation`: `continued`), and pass@1 is taken over the others.
 */
export class AdaptiveAllocator implements Allocator {
  private readonly options: AdaptiveOptions;
  /** Tasks of each situation, in order. */
  private readonly situations: number[][] = [];
  private readonly situationOf: number[] = [];
  /** Situations that were opened, phrasings that were tried of each, rollouts of each task. */
  private opened = 0;
  private readonly tried: number[] = [];
  private readonly scheduled: number[];
  /** Where something went wrong, oldest first. */
  private readonly expandable: number[] = [];
  private readonly verifiable: number[] = [];
  private spent = 0;
  private readonly made: AdaptiveCounts = { explore: 0, expand: 0, verify: 0 };

  constructor(options: AdaptiveOptions) {
    this.options = options;
    const { scenarioIds, n } = options;
    for (const [task, id] of scenarioIds.entries()) {
      const last = this.situations.at(-1);
      if (last !== undefined && last.length < n && scenarioIds[task - 1] === id) last.push(task);
      else this.situations.push([task]);
      this.situationOf.push(this.situations.length - 1);
    }
    this.tried = this.situations.map(() => 0);
    this.scheduled = scenarioIds.map(() => 0);
  }

  next(landings: readonly Landing[]): AllocatedRollout[] | null {
    const wrong = landings.filter((landing) => landing.wentWrong === true).map(({ key }) => key.task);
    for (const task of [...new Set(wrong)].sort((a, b) => a - b)) {
      const situation = this.situationOf[task]!;
      if (!this.verifiable.includes(task)) this.verifiable.push(task);
      if (!this.expandable.includes(situation)) this.expandable.push(situation);
    }
    const take = Math.min(WAVE, this.options.budget - this.spent);
    if (take <= 0) return null;
    const wanted = slotCounts(take, adaptiveMix(this.options.secondsLeft()));
    const wave: AllocatedRollout[] = [];
    const give = (what: keyof AdaptiveCounts, most: number): void => {
      for (let i = 0; i < most && wave.length < take; i++) {
        const task = this.pick(what);
        if (task === null) return;
        const allocation = what === "explore" ? "probe" : "continued";
        wave.push({ task, rolloutIndex: this.scheduled[task]!++, evalRun: 0, allocation });
        this.made[what]++;
      }
    };
    give("verify", wanted.verify);
    give("expand", wanted.expand);
    give("explore", wanted.explore);
    // Slots that found nothing go to what there is, and at last to words that were not tried yet.
    for (const what of ["expand", "verify", "explore"] as const) give(what, take);
    if (wave.length < take) {
      for (const situation of this.situations.keys())
        if (!this.expandable.includes(situation)) this.expandable.push(situation);
      give("expand", take);
    }
    this.spent += wave.length;
    return wave.length === 0 ? null : wave;
  }

  counts(): AdaptiveCounts {
    return { ...this.made };
  }

  private pick(what: keyof AdaptiveCounts): number | null {
    if (what === "explore") {
      if (this.opened === this.situations.length) return null;
      const situation = this.opened++;
      this.tried[situation] = 1;
      return this.situations[situation]![0]!;
    }
    if (what === "verify") {
      const { k } = this.options;
      while (this.verifiable.length > 0 && this.scheduled[this.verifiable[0]!]! >= k) this.verifiable.shift();
      return this.verifiable[0] ?? null;
    }
    while (this.expandable.length > 0) {
      const situation = this.expandable[0]!;
      const task = this.situations[situation]![this.tried[situation]!];
      if (task !== undefined) {
        this.tried[situation]!++;
        return task;
      }
      this.expandable.shift();
    }
    return null;
  }
}

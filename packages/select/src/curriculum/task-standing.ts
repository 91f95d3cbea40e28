import { roundHalfEven } from "@while/schema";
import { betaInc, THRESHOLD_SLACK } from "@while/stats";
import type { CurriculumSettings } from "./curriculum-options.ts";
import type { TaskPrior } from "./task-prior.ts";

/** Where a task stands in the curriculum. */
export type Place = "trainable" | "retired" | "not_ready" | "thin";

/** One task, measured. */
export interface TaskStanding {
  taskId: string;
  /** The first ask seen of it. */
  prompt: string;
  /** Labels. */
  n: number;
  passRate: number;
  /** The rate that the labels and the other tasks together make likely; orders the schedule. */
  expectedRate: number;
  /** Chance that the true rate is above `solved`. */
  pSolved: number;
  /** Chance that it is below `floor`. */
  pNotReady: number;
  /** Chance that it lies in the band. */
  pInBand: number;
}

/** The most further rollouts that are looked ahead. */
const LOOK_AHEAD = 64;

/** What the labels of a task say, in the light of the prior. */
export function taskStanding(
  { taskId, prompt, passes, n }: { taskId: string; prompt: string; passes: number; n: number },
  prior: TaskPrior,
  { solved, floor, band: [low, high] }: CurriculumSettings,
): TaskStanding {
  const a = prior.a + passes;
  const b = prior.b + n - passes;
  return {
    taskId,
    prompt,
    n,
    passRate: roundHalfEven(passes / n, 4),
    expectedRate: a / (a + b),
    pSolved: above(solved, a, b),
    pNotReady: 1 - above(floor, a, b),
    pInBand: above(low, a, b) - above(high, a, b),
  };
}

/** The place of a task, by its measured rate or by what is likely. */
export function placeOf(task: TaskStanding, settings: CurriculumSettings, wasRetired: boolean): Place {
  const { solved, floor, minRollouts, membership, confidence } = settings;
  if (task.n < minRollouts) return "thin";
  if (membership === "point") {
    if (task.passRate > solved + THRESHOLD_SLACK) return "retired";
    return task.passRate < floor - THRESHOLD_SLACK ? "not_ready" : "trainable";
  }
  if (task.pSolved >= (wasRetired ? 0.5 : confidence)) return "retired";
  return task.pNotReady >= confidence ? "not_ready" : "trainable";
}

/**
 * How many more rollouts are likely to settle a task, if they pass as often as is expected of it: 0 for a settled one,
 * null when 64 would not.
 */
export function rolloutsToSettle(
  { n, passRate, expectedRate }: TaskStanding,
  prior: TaskPrior,
  settings: CurriculumSettings,
): number | null {
  for (let more = 0; more <= LOOK_AHEAD; more++) {
    const a = prior.a + passRate * n + expectedRate * more;
    const b = prior.b + (1 - passRate) * n + (1 - expectedRate) * more;
    const pSolved = above(settings.solved, a, b);
    const pNotReady = 1 - above(settings.floor, a, b);
    if (Math.max(pSolved, pNotReady, 1 - pSolved - pNotReady) >= settings.confidence) return more;
  }
  return null;
}

function above(rate: number, a: number, b: number): number {
  return 1 - betaInc(a, b, rate);
}

import { formatFixed, roundHalfEven } from "@while/schema";
import type { RunPair } from "../compare/run-pair.ts";
import { BASE_PASS_RATE, THRESHOLD_SLACK } from "../constants.ts";
import { countOf } from "../count-of.ts";
import { sampleSd } from "../kernel/sample-sd.ts";
import type { Metric } from "../rows/metric.ts";
import { detectableEffect } from "../sizing/detectable-effect.ts";
import { type HoldoutSize, holdoutSize } from "../sizing/holdout-size.ts";
import { StatsError } from "../stats-error.ts";
import type { DeltaSettings } from "./delta-options.ts";
import type { DeltaWarning } from "./delta-warning.ts";
import type { MetricDelta } from "./metric-deltas.ts";
import { pairedGains, visibleChange } from "./paired-gains.ts";

/** Tasks that do not always pass, under which (and under half of all) a set has no room to show a gain. */
const MIN_TASKS_WITH_ROOM = 20;
const MIN_SHARE_WITH_ROOM = 0.5;
/** A change this small is rounding. */
const NO_GAIN = 1e-9;

/** Why the tasks cannot show a gain; empty when they can. */
export function ceilingWarnings(
  pair: RunPair,
  passAt1: MetricDelta,
  { ceilingPassRate }: DeltaSettings,
): DeltaWarning[] {
  const warnings: DeltaWarning[] = [];
  const { meanA } = passAt1;
  const fix = "use harder situations, so that the baseline lies in the 20-80% band";
  if (meanA !== null && meanA >= ceilingPassRate - THRESHOLD_SLACK) {
    warnings.push({
      code: "ceiling",
      text: `CEILING: the before side passes ${formatFixed(meanA, 2)}, so there is little left to gain; ${fix}`,
    });
  }
  const [{ means }] = pair.means("pass_at_1");
  const shared = pair.shared("pass_at_1");
  const nWithRoom = shared.filter((task) => means.get(task)! < 1).length;
  if (shared.length > 0 && nWithRoom < MIN_TASKS_WITH_ROOM && nWithRoom < MIN_SHARE_WITH_ROOM * shared.length) {
    warnings.push({
      code: "ceiling",
      text: `CEILING: ${shared.length - nWithRoom} of ${countOf(shared.length, "paired task")} pass every time before; ${fix}`,
    });
  }
  return warnings;
}

export interface DeltaSizing {
  /** The smallest gain these tasks would show. */
  detectableEffect: number | null;
  /** Tasks that would prove the gain seen; null without a gain between 0 and 1. */
  tasksNeeded: number | null;
  tasksNeededSource: HoldoutSize["sdSource"] | null;
  /**
   * The same at the upper and at the lower end of the gain's interval: the gain seen is itself uncertain, so that one
   * number says too much. A null is an end that no number of tasks proves.
   */
  tasksNeededRange: [fewest: number | null, most: number | null] | null;
}

/**
 * What the set can show of the headline metric, and what the gain seen would take. Strict goes by the spread of the
 * metric's own paired differences; compat by pass@1's, whatever the headline is.
 */
export function deltaSizing(
  pair: RunPair,
  headline: { metric: Metric; delta: MetricDelta },
  { passAt1, k, settings }: { passAt1: MetricDelta; k: number; settings: DeltaSettings },
): DeltaSizing {
  const { alpha, power, inference, cluster } = settings;
  const { delta, ci95, lowerIsBetter, nPaired } = headline.delta;
  const base = passAt1.meanA ?? BASE_PASS_RATE;
  const byModel = inference === "compat" || headline.metric === "pass_at_1";
  const gains = pairedGains(pair, headline.metric, { lowerIsBetter, cluster });
  const spread = inference === "strict" ? visibleChange(gains, { level: 1 - alpha, power }) : null;
  const modelled = byModel && gains.length >= 2 ? detectableEffect(gains.length, { base, k, alpha, power }) : null;
  const gain = delta === null ? null : lowerIsBetter ? -delta : delta;
  // Adding up rates leaves 1e-17 of a gain that is none.
  const size = gain === null || gain <= NO_GAIN || gain >= 1 ? null : sizeFor(gain);
  const ends = ci95 === null ? null : lowerIsBetter ? [-ci95[0], -ci95[1]] : [ci95[1], ci95[0]];
  const tasksAt = (end: number) => (end <= NO_GAIN || end >= 1 ? null : (sizeFor(end)?.nTasks ?? null));
  return {
    detectableEffect: spread === null ? modelled : roundHalfEven(spread, 4),
    tasksNeeded: size?.nTasks ?? null,
    tasksNeededSource: size?.sdSource ?? null,
    tasksNeededRange: size === null || ends === null ? null : [tasksAt(ends[0]!), tasksAt(ends[1]!)],
  };

  function sizeFor(effect: number): HoldoutSize | null {
    const options = { alpha, power, inference };
    // Of clusters, as wide as the spread a task would need for the same error of the mean.
    const sd = spread === null ? null : sampleSd(gains)! * Math.sqrt(nPaired / gains.length);
    if (sd !== null) return { ...holdoutSize(effect, { ...options, taskStd: sd }), sdSource: "rows" };
    if (!byModel) return null;
    return (
      unlessRefused(() => holdoutSize(effect, { ...options, before: pair.a.rows, after: pair.b.rows })) ??
      unlessRefused(() => holdoutSize(effect, { ...options, base, k }))
    );
  }
}

/** Sizing refuses sets it cannot answer for: too few shared tasks, or a gain beyond what the base leaves. */
function unlessRefused(size: () => HoldoutSize): HoldoutSize | null {
  try {
    return size();
  } catch (error) {
    if (error instanceof StatsError) return null;
    throw error;
  }
}

import type { TrainPoint } from "@while/platform-client/contract";

/** How fast a run goes, and how far it is. Seconds; null where the points cannot say. */
export interface StepPace {
  step: number | null;
  /** Median seconds of a step. */
  medianStepS: number | null;
  /** From the first point to the last. */
  elapsedS: number | null;
  /** Seconds to the last step at the median pace; null without a total, and once there. */
  leftS: number | null;
  /** When the last point was logged, ISO 8601. */
  lastAt: string | null;
}

/**
 * The pace of a run, from the times of its points: the median over the distances between neighbours, each per step, so
 * that one pause for an evaluation or a restart does not move it. Points without a time are passed over.
 */
export function stepPace(points: readonly Pick<TrainPoint, "step" | "ts">[], total: number | null): StepPace {
  const step = points.reduce<number | null>((most, point) => Math.max(most ?? 0, point.step), null);
  const timed = points.flatMap(({ step, ts }) =>
    typeof ts === "number" && Number.isFinite(ts) && ts > 0 ? [{ step, ts }] : [],
  );
  timed.sort((a, b) => a.step - b.step || a.ts - b.ts);
  const paces: number[] = [];
  for (let i = 1; i < timed.length; i++) {
    const [before, here] = [timed[i - 1]!, timed[i]!];
    // A step that is logged twice, or a run that began again, says nothing of the pace.
    if (here.step > before.step && here.ts > before.ts) paces.push((here.ts - before.ts) / (here.step - before.step));
  }
  const times = timed.map(({ ts }) => ts);
  const last = times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b));
  const first = times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b));
  const medianStepS = median(paces);
  return {
    step,
    medianStepS,
    elapsedS: last === null || first === null || last === first ? null : last - first,
    leftS:
      step === null || total === null || medianStepS === null || step >= total ? null : (total - step) * medianStepS,
    lastAt: last === null ? null : new Date(1000 * last).toISOString(),
  };
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

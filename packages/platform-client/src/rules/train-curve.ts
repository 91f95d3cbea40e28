import type { TrainCurve } from "../contract/dashboard.ts";
import type { TrainPoint } from "../contract/points.ts";
import type { RunRow } from "../contract/runs.ts";
import { readPoint } from "./read-point.ts";

/** Series with a place of their own, by the names they are logged under. */
const NAMED: ReadonlyMap<string, "reward" | "kl" | "loss" | "completionLength" | "clipRatio"> = new Map([
  ["reward", "reward"],
  ["kl", "kl"],
  ["loss", "loss"],
  ["completion_length", "completionLength"],
  ["completionLength", "completionLength"],
  ["clip_ratio", "clipRatio"],
  ["clipRatio", "clipRatio"],
] as const);

/** Points that a curve may show before it is thinned. */
export const CURVE_MAX_POINTS = 2000;

/**
 * A run's points as one list of steps and a value or a gap of every series at each. Steps come once, in order: points
 * of one step are merged, and a value that came later wins. Above `maxPoints` steps it is thinned, and in every stretch
 * each series keeps its lowest and its highest value, so that a spike of one step is there in a chart of 100,000.
 */
export function trainCurve(
  run: Pick<RunRow, "id"> & Partial<RunRow>,
  points: readonly TrainPoint[],
  { maxPoints = CURVE_MAX_POINTS }: { maxPoints?: number } = {},
): TrainCurve {
  const merged = mergePoints(points);
  const names = [...new Set(merged.flatMap(({ values }) => [...values.keys()]))];
  const kept = thin(merged, names, maxPoints);
  const seriesOf = (name: string) => kept.map(({ values }) => values.get(name) ?? null);
  const curve: TrainCurve = {
    run: run.id,
    method: run.method ?? null,
    base: run.base ?? null,
    hours: run.hours ?? null,
    gpu: run.gpu ?? null,
    costUsd: run.costUsd ?? null,
    status: run.status ?? null,
    trainedOn: [...(run.trainedOn ?? [])],
    targets: [...(run.targets ?? [])],
    steps: kept.map(({ step }) => step),
    reward: seriesOf("reward"),
    kl: seriesOf("kl"),
    loss: seriesOf("loss"),
    completionLength: seriesOf("completion_length"),
    clipRatio: seriesOf("clip_ratio"),
    series: {},
    totalPoints: merged.length,
    record: run.record ?? null,
  };
  for (const name of names) {
    const place = NAMED.get(name);
    if (place === undefined) curve.series[name] = seriesOf(name);
    else if (curve[place].every((value) => value === null)) curve[place] = seriesOf(name);
  }
  return curve;
}

interface Merged {
  step: number;
  values: Map<string, number | null>;
}

function mergePoints(points: readonly TrainPoint[]): Merged[] {
  const bySteps = new Map<number, Map<string, number | null>>();
  for (const point of points) {
    const { step, values } = readPoint(point);
    const known = bySteps.get(step) ?? new Map<string, number | null>();
    for (const [name, value] of values) known.set(name, value);
    bySteps.set(step, known);
  }
  return Array.from(bySteps, ([step, values]) => ({ step, values })).sort((a, b) => a.step - b.step);
}

/** The same points whoever asks: stretches of equal length, of each the extremes of every series, first and last. */
function thin(points: readonly Merged[], names: readonly string[], maxPoints: number): Merged[] {
  if (points.length <= maxPoints) return [...points];
  const perStretch = 2 * Math.max(1, names.length) + 2;
  const stretches = Math.max(1, Math.floor(maxPoints / perStretch));
  const kept = new Set<number>([0, points.length - 1]);
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * points.length) / stretches);
    const to = Math.floor(((stretch + 1) * points.length) / stretches);
    for (const name of names) {
      for (const place of extremes(points, name, from, to)) kept.add(place);
    }
    kept.add(from);
  }
  return [...kept].sort((a, b) => a - b).map((place) => points[place]!);
}

function extremes(points: readonly Merged[], name: string, from: number, to: number): number[] {
  let [low, high] = [-1, -1];
  for (let place = from; place < to; place++) {
    const value = points[place]!.values.get(name) ?? null;
    if (value === null) continue;
    if (low === -1 || value < points[low]!.values.get(name)!) low = place;
    if (high === -1 || value > points[high]!.values.get(name)!) high = place;
  }
  return [low, high].filter((place) => place !== -1);
}

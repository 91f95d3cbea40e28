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

/** A curve by its columns: a value of each series at each step, NaN where there is none. */
export interface CurveColumns {
  /** Ascending, each step once. */
  steps: ArrayLike<number>;
  series: ReadonlyMap<string, ArrayLike<number>>;
}

export interface CurveOptions {
  maxPoints?: number;
  /** Stretches of equal length, or of equal ratio of their ends: what a logarithmic axis shows alike. */
  scale?: "linear" | "log";
}

/**
 * A run's points as one list of steps and a value or a gap of every series at each. Steps come once, in order: points
 * of one step are merged, and a value that came later wins. Above `maxPoints` steps it is thinned, and in every stretch
 * each series keeps its lowest and its highest value, so that a spike of one step is there in a chart of 100,000.
 */
export function trainCurve(
  run: Pick<RunRow, "id"> & Partial<RunRow>,
  points: readonly TrainPoint[],
  options: CurveOptions = {},
): TrainCurve {
  return curveOfColumns(run, columnsOf(points), options);
}

/** The same of points that were read as columns: of a million points, one object each is what costs. */
export function curveOfColumns(
  run: Pick<RunRow, "id"> & Partial<RunRow>,
  { steps, series }: CurveColumns,
  { maxPoints = CURVE_MAX_POINTS, scale = "linear" }: CurveOptions = {},
): TrainCurve {
  const shown = thinnedPlaces(steps, [...series.values()], { maxPoints, scale });
  const valuesOf = (name: string) =>
    shown.map((place) => {
      const value = series.get(name)?.[place] ?? Number.NaN;
      return Number.isNaN(value) ? null : value;
    });
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
    steps: shown.map((place) => steps[place]!),
    reward: valuesOf("reward"),
    kl: valuesOf("kl"),
    loss: valuesOf("loss"),
    completionLength: valuesOf("completion_length"),
    clipRatio: valuesOf("clip_ratio"),
    series: {},
    totalPoints: steps.length,
    record: run.record ?? null,
  };
  for (const name of series.keys()) {
    const place = NAMED.get(name);
    if (place === undefined) curve.series[name] = valuesOf(name);
    else if (curve[place].every((value) => value === null)) curve[place] = valuesOf(name);
  }
  return curve;
}

function columnsOf(points: readonly TrainPoint[]): CurveColumns {
  const bySteps = new Map<number, Map<string, number | null>>();
  for (const point of points) {
    const { step, values } = readPoint(point);
    const known = bySteps.get(step) ?? new Map<string, number | null>();
    for (const [name, value] of values) known.set(name, value);
    bySteps.set(step, known);
  }
  const merged = Array.from(bySteps).sort(([a], [b]) => a - b);
  const names = new Set(merged.flatMap(([, values]) => [...values.keys()]));
  const series = new Map(
    Array.from(names, (name) => [name, merged.map(([, values]) => values.get(name) ?? Number.NaN)] as const),
  );
  return { steps: merged.map(([step]) => step), series };
}

/** The same places whoever asks: of each stretch its first, the extremes of every series, and the last of all. */
function thinnedPlaces(
  steps: ArrayLike<number>,
  series: readonly ArrayLike<number>[],
  { maxPoints, scale }: Required<CurveOptions>,
): number[] {
  const n = steps.length;
  if (n <= maxPoints) return Array.from({ length: n }, (_, place) => place);
  const perStretch = 2 * Math.max(1, series.length) + 2;
  const stretches = Math.max(1, Math.floor(maxPoints / perStretch));
  const kept = new Set<number>([0, n - 1]);
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = edge(steps, stretch / stretches, scale);
    const to = edge(steps, (stretch + 1) / stretches, scale);
    if (from === to) continue;
    kept.add(from);
    for (const values of series) for (const place of extremes(values, from, to)) kept.add(place);
  }
  return [...kept].sort((a, b) => a - b);
}

/** The place where a share of the axis is behind: of the places, or of the logarithm of the steps. */
function edge(steps: ArrayLike<number>, share: number, scale: "linear" | "log"): number {
  const n = steps.length;
  if (scale === "linear" || share === 1) return Math.floor(share * n);
  const [first, last] = [Math.log1p(steps[0]!), Math.log1p(steps[n - 1]!)];
  const wanted = Math.expm1(first + share * (last - first));
  let [low, high] = [0, n];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (steps[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function extremes(values: ArrayLike<number>, from: number, to: number): number[] {
  let [low, high] = [-1, -1];
  for (let place = from; place < to; place++) {
    const value = values[place]!;
    if (Number.isNaN(value)) continue;
    if (low === -1 || value < values[low]!) low = place;
    if (high === -1 || value > values[high]!) high = place;
  }
  return [low, high].filter((place) => place !== -1);
}

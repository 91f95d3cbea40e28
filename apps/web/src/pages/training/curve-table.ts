import type { TrainCurve } from "@while/platform-client/contract";

/** The series that every curve has a place for; a trainer logs some of them. */
const KNOWN = ["reward", "kl", "loss", "completionLength", "clipRatio"] as const;

function seriesOf(curve: TrainCurve): [name: string, values: readonly (number | null)[]][] {
  const known = KNOWN.map((name): [string, readonly (number | null)[]] => [name, curve[name]]);
  return [...known.filter(([, values]) => values.some((value) => value !== null)), ...Object.entries(curve.series)];
}

/** Heads of a curve as a table: the step, then each series that has a value. */
export function curveHeads(curve: TrainCurve): string[] {
  return ["step", ...seriesOf(curve).map(([name]) => name)];
}

/** The steps of that table that are drawn; a step without a value of a series has an empty place. */
export function curveCells(curve: TrainCurve): (number | null)[][] {
  const series = seriesOf(curve);
  return curve.steps.map((step, place) => [step, ...series.map(([, values]) => values[place] ?? null)]);
}

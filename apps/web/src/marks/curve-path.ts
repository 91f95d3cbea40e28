import type { Scale } from "./scale.ts";

/** A stretch of steps in which a series has no value where its own pace says that it should. */
export interface Gap {
  /** Last step before, and first step after. */
  from: number;
  to: number;
}

type Values = readonly (number | null)[];

/** Of its distances the one that counts as usual, and how much further apart two values of a series are at a gap. */
const PACE = { whole: { usual: 0.5, times: 1.5 }, thinned: { usual: 0.95, times: 4 } };

/**
 * Where a series stops: between two of its values that lie much further apart than is usual for it. A series that is
 * logged every 20 steps has no gaps between them. A thinned curve keeps extremes, which lie close and far: there only
 * what is far beyond nearly all of its distances is a gap.
 */
export function gapsOf(steps: readonly number[], values: Values, { thinned = false } = {}): Gap[] {
  const pace = thinned ? PACE.thinned : PACE.whole;
  const known = steps.filter((_, place) => isNumber(values[place]));
  if (known.length < 3) return [];
  const apart = known.slice(1).map((step, place) => step - known[place]!);
  const usual = apart.toSorted((a, b) => a - b)[Math.floor(apart.length * pace.usual)]!;
  return apart.flatMap((distance, place) =>
    distance > pace.times * usual ? [{ from: known[place]!, to: known[place + 1]! }] : [],
  );
}

/** The path of a series, which stops at its gaps. What has no place on a scale, as step 0 of a logarithmic one, is left out. */
export function curvePath(
  steps: readonly number[],
  values: Values,
  { x, y, gaps = [] }: { x: Scale; y: Scale; gaps?: readonly Gap[] },
): string {
  const stops = new Set(gaps.map(({ to }) => to));
  let path = "";
  let drawing = false;
  for (const [place, step] of steps.entries()) {
    const value = values[place];
    const at = x(step);
    if (!isNumber(value) || !Number.isFinite(at)) continue;
    path += `${drawing && !stops.has(step) ? "L" : "M"}${short(at)} ${short(y(value))}`;
    drawing = true;
  }
  return path;
}

/** The area between two series over the steps that both have. */
export function areaPath(
  steps: readonly number[],
  upper: Values,
  lower: Values,
  { x, y }: { x: Scale; y: Scale },
): string {
  const both = steps.flatMap((step, place) => {
    const [high, low] = [upper[place], lower[place]];
    const at = x(step);
    return isNumber(high) && isNumber(low) && Number.isFinite(at) ? [[at, y(high), y(low)] as const] : [];
  });
  if (both.length < 2) return "";
  const there = both.map(([at, high]) => `${short(at)} ${short(high)}`);
  const back = both.toReversed().map(([at, , low]) => `${short(at)} ${short(low)}`);
  return `M${[...there, ...back].join("L")}Z`;
}

/**
 * An exponential moving average that begins unbiased: each value weighs `share` of what came before. Nothing smooths
 * over a gap of the raw series: where that has no value, neither has this.
 */
export function smoothed(values: Values, share: number): (number | null)[] {
  let sum = 0;
  let weight = 0;
  return values.map((value) => {
    if (!isNumber(value)) return null;
    sum = share * sum + (1 - share) * value;
    weight = share * weight + (1 - share);
    return sum / weight;
  });
}

/** The last value of a series and its step; null when it has none. */
export function lastOf(steps: readonly number[], values: Values): { step: number; value: number } | null {
  const place = values.findLastIndex(isNumber);
  return place === -1 ? null : { step: steps[place]!, value: values[place]! };
}

function isNumber(value: number | null | undefined): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** Two decimals are finer than a pixel of any screen. */
function short(pixels: number): number {
  return Math.round(100 * pixels) / 100;
}

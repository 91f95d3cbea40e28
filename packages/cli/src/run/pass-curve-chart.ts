import { formatFixed } from "@while/schema";
import { type Html, html } from "@while/stats";

/** One k of the curve, as `passAt` reports it. */
export interface CurvePoint {
  k: number;
  passPowK: number | null;
  passPowKCi95: readonly [number, number] | null;
  passAtK: number | null;
  passAtKCi95: readonly [number, number] | null;
}

interface Frame {
  width: number;
  className: "wide" | "narrow";
  /** Room for the name at the end of a line. */
  labelWidth: number;
  /** Numbers under the axis that do not touch. */
  ticks: number;
}

const FRAMES: readonly Frame[] = [
  { width: 904, className: "wide", labelWidth: 112, ticks: 16 },
  { width: 350, className: "narrow", labelWidth: 112, ticks: 4 },
];

const HEIGHT = 250;
const TOP = 12;
const BOTTOM = 210;
const LEFT = 34;

/** pass^k falls and pass@k rises with k; drawn once for a desk and once for a phone, both from 0 to 1. */
export function passCurveChart(curve: readonly CurvePoint[]): Html {
  return html`<figure>${FRAMES.map((frame) => drawing(curve, frame))}</figure>`;
}

function drawing(curve: readonly CurvePoint[], { width, className, labelWidth, ticks }: Frame): Html {
  const right = width - labelWidth;
  const lastK = Math.max(2, curve.at(-1)?.k ?? 2);
  const x = (k: number): number => LEFT + 14 + ((k - 1) / (lastK - 1)) * (right - LEFT - 14);
  const y = (share: number): number => BOTTOM - share * (BOTTOM - TOP);
  const label = curve
    .map(({ k, passPowK, passAtK }) => `k ${k}: pass^k ${formatFixed(passPowK, 2)}, pass@k ${formatFixed(passAtK, 2)}`)
    .join("; ");

  const series = (name: string, tone: string, points: readonly Dot[], shift: number, dashed: boolean): Html => {
    const line = points.map(({ k, value }, i) => `${i === 0 ? "M" : "L"}${f(x(k) + shift)} ${f(y(value))}`).join("");
    const end = points.at(-1);
    return html`<g class="${tone}"><path class="line${dashed ? " dashed" : ""}" d="${line}"/>${points.map(
      ({ k, value, ci95 }) => intervalAt(x(k) + shift, y(value), ci95 === null ? null : [y(ci95[0]), y(ci95[1])]),
    )}${end === undefined ? null : html`<text class="named" x="${f(x(end.k) + shift + 12)}" y="${f(y(end.value) + 4.5)}">${name} ${formatFixed(end.value, 2)}</text>`}</g>`;
  };

  const pow = curve.flatMap((point) => dot(point.k, point.passPowK, point.passPowKCi95));
  const any = curve.flatMap((point) => dot(point.k, point.passAtK, point.passAtKCi95));
  return html`<svg class="${className}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${label}">${[
    0, 0.25, 0.5, 0.75, 1,
  ].map(
    (tick) =>
      html`<line class="${tick === 0 ? "axis" : "grid"}" x1="${LEFT}" x2="${right}" y1="${y(tick)}" y2="${y(tick)}"/><text class="end" x="${LEFT - 6}" y="${y(tick) + 4.5}">${tick}</text>`,
  )}${kTicks(lastK, ticks).map((k) => html`<text class="mid" x="${f(x(k))}" y="${BOTTOM + 20}">${k}</text>`)}<text class="end" x="${LEFT - 6}" y="${BOTTOM + 20}">k</text>${series("pass@k", "c-ink", any, 3, true)}${series("pass^k", "c-accent", pow, -3, false)}</svg>`;
}

interface Dot {
  k: number;
  value: number;
  ci95: readonly [number, number] | null;
}

/** Nothing where the number does not exist: the line stops there. */
function dot(k: number, value: number | null, ci95: readonly [number, number] | null): Dot[] {
  return value === null ? [] : [{ k, value, ci95 }];
}

function intervalAt(x: number, y: number, ends: readonly [low: number, high: number] | null): Html {
  const bar =
    ends === null
      ? null
      : html`<rect class="iv" x="${f(x - 3)}" width="6" y="${f(ends[1])}" height="${f(ends[0] - ends[1])}"/>${ends.map(
          (end) => html`<line class="cap" x1="${f(x - 5)}" x2="${f(x + 5)}" y1="${f(end)}" y2="${f(end)}"/>`,
        )}`;
  return html`<g${ends === null ? html` class="open"` : null}>${bar}<circle class="pt" cx="${f(x)}" cy="${f(y)}" r="4"/></g>`;
}

/** 1, and from there the multiples of a step. */
function kTicks(lastK: number, ticks: number): number[] {
  const step = Math.ceil(lastK / ticks);
  return Array.from({ length: lastK }, (_, i) => i + 1).filter((k) => k === 1 || k % step === 0);
}

const f = (coordinate: number): string => coordinate.toFixed(1);

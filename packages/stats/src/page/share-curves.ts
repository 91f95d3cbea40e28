import { type Html, html } from "./html.ts";
import { htmlTable } from "./html-table.ts";

export interface ShareCurve {
  name: string;
  /** From left to right; shares from 0 to 1. */
  points: readonly (readonly [x: number, share: number])[];
  /** Where the reader stands on it, and where it is to go. */
  now?: number;
  goal?: number;
}

export interface ShareCurvesOptions {
  curves: readonly ShareCurve[];
  /** The last value of the axis; it begins at 0. */
  upTo: number;
  /** A share that is asked for: a line across. */
  wanted: number;
  xHead: string;
  shareHead: string;
  /** The drawing in a sentence, for those who do not see it. */
  label: string;
}

/** The place of the curves in the drawing, of a hundred: room for shares on the left and for numbers below. */
const [LEFT, RIGHT, TOP, BASE] = [9, 98, 6, 84];
const TABLE_ROWS = 10;
/** Told apart by their dashes as well as by their order. */
const DASHES = ["", "6 4", "1.5 4"];

/** Shares that rise or fall with a number, one curve beside the other, and the table of them behind a fold. */
export function shareCurves({ curves, upTo, wanted, xHead, shareHead, label }: ShareCurvesOptions): Html {
  const x = (value: number) => round(LEFT + (value / upTo) * (RIGHT - LEFT));
  const y = (share: number) => round(BASE - share * (BASE - TOP));
  return html`<svg class="curves" role="img" aria-label="${label}">${[0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      html`<line class="hair" x1="${LEFT}%" x2="${RIGHT}%" y1="${y(share)}%" y2="${y(share)}%"/><text x="0" y="${y(share)}%" dy="4">${100 * share}%</text>`,
  )}<line class="zero" x1="${LEFT}%" x2="${RIGHT}%" y1="${y(wanted)}%" y2="${y(wanted)}%"/>${ticksTo(upTo).map(
    (value) => html`<text class="mid" x="${x(value)}%" y="96%">${value}</text>`,
  )}<svg x="${LEFT}%" y="${TOP}%" width="${RIGHT - LEFT}%" height="${BASE - TOP}%" viewBox="0 0 100 100" preserveAspectRatio="none">${curves.map(
    ({ points }, i) => html`<path class="curve" stroke-dasharray="${dashOf(i)}" d="${pathOf(points, upTo)}"/>`,
  )}</svg>${curves.map(({ points, now, goal }) => [
    now !== undefined && dot(points, now, x, y, "c-ink open"),
    goal !== undefined && dot(points, goal, x, y, "c-ink"),
  ])}</svg>
<ul class="key">${curves.map(
    ({ name }, i) =>
      html`<li><svg aria-hidden="true" width="34" height="10"><line class="curve" x1="1" x2="33" y1="5" y2="5" stroke-dasharray="${dashOf(i)}"/></svg> ${name}</li>`,
  )}</ul>
<details><summary>Table</summary>${htmlTable({
    columns: [
      { head: xHead, numeric: true },
      ...curves.map(({ name }) => ({ head: `${shareHead}, ${name}`, numeric: true })),
    ],
    rows: tableXs(curves, upTo).map((value) => [
      String(value),
      ...curves.map(({ points }) => `${Math.round(100 * shareAt(points, value))}%`),
    ]),
  })}</details>`;
}

const round = (value: number): number => Number(value.toFixed(2));

const dashOf = (i: number): string => DASHES[i % DASHES.length]!;

function pathOf(points: ShareCurve["points"], upTo: number): string {
  return points
    .map(([x, share], i) => `${i === 0 ? "M" : "L"}${round((100 * x) / upTo)} ${round(100 * (1 - share))}`)
    .join("");
}

function dot(
  points: ShareCurve["points"],
  at: number,
  x: (value: number) => number,
  y: (share: number) => number,
  colour: string,
): Html {
  return html`<g class="${colour}"><circle class="pt" cx="${x(Math.min(at, points.at(-1)?.[0] ?? at))}%" cy="${y(shareAt(points, at))}%" r="5"/></g>`;
}

/** Of the last point that is not beyond it. */
function shareAt(points: ShareCurve["points"], x: number): number {
  return points.findLast(([at]) => at <= x)?.[1] ?? 0;
}

/** Four to eight round values. */
function ticksTo(upTo: number): number[] {
  const power = 10 ** Math.floor(Math.log10(upTo / 4));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => upTo / size <= 8)!;
  const whole = Math.max(1, step);
  return Array.from({ length: Math.floor(upTo / whole) + 1 }, (_, i) => i * whole);
}

function tableXs(curves: readonly ShareCurve[], upTo: number): number[] {
  const round = Array.from({ length: TABLE_ROWS }, (_, i) => Math.round(((i + 1) * upTo) / TABLE_ROWS));
  const named = curves.flatMap(({ now, goal }) => [now, goal].filter((value) => value !== undefined && value <= upTo));
  return [...new Set([...round, ...(named as number[])])].sort((a, b) => a - b);
}

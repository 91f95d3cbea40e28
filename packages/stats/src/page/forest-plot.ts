import type { Interval } from "../interval/interval.ts";
import { type Html, type HtmlContent, html, typographic } from "./html.ts";
import { classOf, type TableColumn } from "./html-table.ts";

/** A claim that a rule supports is solid, in its colour; `open` is hollow and dotted: not told from noise. */
export type ForestMark = "good" | "bad" | "plain" | "open";

export interface ForestRow {
  name: string;
  /** Under the name: a role, a count. */
  sub?: HtmlContent;
  /** The row that carries the decision. */
  strong?: boolean;
  /** Null draws the dotted line of what was not measured. */
  estimate: number | null;
  interval: Interval | null;
  mark: ForestMark;
  /** What a re-run moves by itself: around zero for a change, around the level it is held against. */
  band?: Interval | null;
  /** An upright line: a floor, a flag, a margin. */
  threshold?: number | null;
  /** The interval in words, read out with the name; what is drawn has to be said as well. */
  label: string;
  /** Text of the columns before the plot and after it. */
  before?: readonly HtmlContent[];
  value: HtmlContent;
  after?: readonly HtmlContent[];
  reading: HtmlContent;
}

/** A phone shows the name, the drawing, the value and the reading, and no other column. */
export type ForestColumn = Omit<TableColumn, "wideOnly">;

export interface ForestPlotOptions {
  rows: readonly ForestRow[];
  nameHead: string;
  beforeColumns?: readonly ForestColumn[];
  valueHead: string;
  afterColumns?: readonly ForestColumn[];
  readingHead?: string;
  /** What the table shows, for those who do not see the head beside it. */
  caption: string;
  /** `change` is drawn around zero and as wide on both sides; `level` over the range of its intervals. */
  kind?: "change" | "level";
  /** A dotted line through all rows: the change over all tasks. */
  reference?: number | null;
}

/** Room left and right of the widest bar, as a share of the axis. */
const MARGIN = 0.06;

/**
 * Estimates with their intervals, one under the other on one axis, each row with its numbers: the table is the chart.
 * Bar: the interval. Dot: the estimate. Grey: the noise band. A row whose values are no shares (tokens, seconds) has an
 * axis of its own, since one of thousands would flatten all others; it says so.
 */
export function forestPlot(options: ForestPlotOptions): Html {
  const {
    rows,
    nameHead,
    beforeColumns = [],
    valueHead,
    afterColumns = [],
    readingHead = "reading",
    caption,
  } = options;
  const { kind = "change", reference = null } = options;
  const shared = axisOf(
    rows.filter((row) => !hasOwnAxis(row, kind)),
    kind,
    reference,
  );
  const classFor = (column: ForestColumn) => classOf({ ...column, wideOnly: true });
  const heads = (columns: readonly ForestColumn[]) =>
    columns.map((column) => html`<th scope="col"${classFor(column)}>${column.head}</th>`);
  const cells = (columns: readonly ForestColumn[], content: readonly HtmlContent[] = []) =>
    columns.map((column, i) => html`<td${classFor(column)}>${content[i]}</td>`);
  return html`<table class="forest"><caption class="sr">${caption}</caption>
<thead><tr><th scope="col">${nameHead}</th>${heads(beforeColumns)}<th scope="col" class="plot"><span class="sr">drawn</span>${axisStrip(shared)}</th><th scope="col" class="value">${valueHead}</th>${heads(afterColumns)}<th scope="col" class="read">${readingHead}</th></tr></thead>
<tbody>${rows.map((row) => {
    const own = hasOwnAxis(row, kind);
    const axis = own ? axisOf([row], kind, null) : shared;
    return html`
<tr><th scope="row">${row.strong ? html`<b>${row.name}</b>` : row.name}${row.sub != null && row.sub !== "" && html`<span class="sub">${row.sub}</span>`}</th>${cells(beforeColumns, row.before)}<td class="plot">${strip(row, axis, own ? null : reference)}</td><td class="value">${row.value}</td>${cells(afterColumns, row.after)}<td class="read">${row.reading}${own && html`<span class="sub">own axis, ${span(axis)}</span>`}</td></tr>`;
  })}
</tbody></table>`;
}

interface Axis {
  low: number;
  high: number;
  ticks: readonly number[];
  hasZero: boolean;
}

function hasOwnAxis(row: ForestRow, kind: "change" | "level"): boolean {
  return kind === "change" && valuesOf(row).some((value) => Math.abs(value) > 1);
}

function valuesOf({ estimate, interval, band, threshold }: ForestRow): number[] {
  const values = [estimate, ...(interval ?? []), ...(band ?? []), threshold];
  return values.filter((value) => value !== null && value !== undefined);
}

/** The narrowest axis, and the reach of one around zero on which nothing moved. */
const MIN_WIDTH = 1e-6;
const REACH_OF_NOTHING = 0.1;

function axisOf(rows: readonly ForestRow[], kind: "change" | "level", reference: number | null): Axis {
  const values = [...rows.flatMap(valuesOf), ...(reference === null ? [] : [reference])];
  if (kind === "change") {
    const most = values.reduce((reach, value) => Math.max(reach, Math.abs(value)), 0);
    const reach = (most < MIN_WIDTH ? REACH_OF_NOTHING : most) * (1 + MARGIN);
    return { low: -reach, high: reach, ticks: ticksIn(-reach, reach), hasZero: true };
  }
  const [least, most] = values.length === 0 ? [0, 1] : [Math.min(...values), Math.max(...values)];
  const room = Math.max((most - least) * MARGIN, MIN_WIDTH * Math.max(1, Math.abs(most)));
  const [low, high] = [least - room, most + room];
  return { low, high, ticks: ticksIn(low, high), hasZero: false };
}

/** 1, 2 or 5 times a power of ten: three to five round values on the axis. */
function stepFor(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width / 4));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => width / step <= 5.2)!;
}

function ticksIn(low: number, high: number): number[] {
  const ticks: number[] = [];
  const step = stepFor(high - low);
  // Over whole steps, so that the tick at zero is zero and not 2.8e-17.
  for (let i = Math.ceil(low / step); i * step <= high; i++) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

const signed = (value: number): string => typographic(value > 0 ? `+${value}` : String(value));

const span = ({ high }: Axis): string => `±${Number(high.toPrecision(2))}`;

/** A place on the axis in percent of the cell, so that one drawing fits every width. */
function placeOn({ low, high }: Axis): (value: number) => string {
  return (value) => percent((value - low) / (high - low));
}

const percent = (share: number): string => `${Number((100 * share).toFixed(2))}%`;

function axisStrip(axis: Axis): Html {
  const at = placeOn(axis);
  return html`<svg class="strip" aria-hidden="true"><svg y="50%" overflow="visible">${axis.ticks.map(
    (tick) => html`<text class="mid" x="${at(tick)}" y="5">${axis.hasZero ? signed(tick) : tick}</text>`,
  )}</svg></svg>`;
}

function strip(row: ForestRow, axis: Axis, reference: number | null): Html {
  const at = placeOn(axis);
  const upright = (name: string, value: number) =>
    html`<line class="${name}" x1="${at(value)}" x2="${at(value)}" y1="0" y2="100%"/>`;
  const { band = null, threshold = null, label, name } = row;
  return html`<svg class="strip" role="img" aria-label="${name}: ${label}">${
    band !== null &&
    html`<rect class="band" x="${at(band[0])}" y="0" width="${percent((band[1] - band[0]) / (axis.high - axis.low))}" height="100%"/>${upright("edge", band[0])}${upright("edge", band[1])}`
  }${axis.hasZero && upright("zero", 0)}${reference !== null && upright("edge", reference)}${
    threshold !== null && upright("zero", threshold)
  }<svg y="50%" overflow="visible">${marks(row, axis)}</svg></svg>`;
}

function marks({ estimate, interval, mark, strong = false }: ForestRow, axis: Axis): Html {
  if (estimate === null) return html`<line class="nomeasure" x1="0" x2="100%" y1="0" y2="0"/>`;
  const at = placeOn(axis);
  const half = strong ? 8 : 6;
  const colour = mark === "good" || mark === "bad" ? `c-${mark}` : mark === "open" ? "c-rest open" : "c-ink";
  const cap = (value: number) =>
    html`<line class="cap" x1="${at(value)}" x2="${at(value)}" y1="${-half}" y2="${half}"/>`;
  return html`<g class="${colour}">${
    interval !== null &&
    html`<rect class="iv" x="${at(interval[0])}" y="${-half}" width="${percent((interval[1] - interval[0]) / (axis.high - axis.low))}" height="${2 * half}"/>${cap(interval[0])}${cap(interval[1])}`
  }<circle class="pt" cx="${at(estimate)}" cy="0" r="${strong ? 6 : 5}"/></g>`;
}

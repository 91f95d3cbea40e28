import { type Html, html } from "./html.ts";
import { htmlTable } from "./html-table.ts";

export interface HistogramBar {
  label: string;
  n: number;
  mark: "good" | "bad" | "rest";
}

export interface HistogramOptions {
  bars: readonly HistogramBar[];
  /** What a bar counts, and what it is counted by: heads of the table. */
  countHead: string;
  labelHead: string;
  /** The drawing in a sentence, for those who do not see it. */
  label: string;
  /** Place of a bar that keeps its label where there is no room for all. */
  anchor?: number;
}

/** Labels that stand side by side. */
const MAX_LABELS = 9;

/** Room over the highest bar for its number, and under the axis for the labels, of a hundred. */
const [TOP, BASE] = [12, 86];
/** Of its place, what a bar fills. */
const FILLED = 0.62;

/** Counts as bars with their numbers on them, and the table of the same behind a fold. */
export function histogram({ bars, countHead, labelHead, label, anchor = 0 }: HistogramOptions): Html {
  const every = Math.max(1, Math.ceil(bars.length / MAX_LABELS));
  const most = bars.reduce((high, { n }) => Math.max(high, n), 1);
  const place = 100 / Math.max(1, bars.length);
  const percent = (value: number) => `${Number(value.toFixed(2))}%`;
  return html`<svg class="bars" role="img" aria-label="${label}">${bars.map(({ label: name, n, mark }, i) => {
    const height = (n / most) * (BASE - TOP);
    const middle = percent((i + 0.5) * place);
    return html`<g class="c-${mark}"><rect class="iv" x="${percent((i + 0.5 - FILLED / 2) * place)}" width="${percent(FILLED * place)}" y="${percent(BASE - height)}" height="${percent(height)}"/></g>${
      n > 0 && html`<text class="mid" x="${middle}" y="${percent(BASE - height - 2)}">${n}</text>`
    }${(i - anchor) % every === 0 && html`<text class="mid" x="${middle}" y="98%">${name}</text>`}`;
  })}<line class="zero" x1="0" x2="100%" y1="${percent(BASE)}" y2="${percent(BASE)}"/></svg>
<details><summary>Table</summary>${htmlTable({
    columns: [
      { head: labelHead, numeric: true },
      { head: countHead, numeric: true },
    ],
    rows: bars.map((bar) => [bar.label, String(bar.n)]),
  })}</details>`;
}

import { formatFixed, formatInterval } from "@while/schema";
import { type Html, html } from "@while/stats";

export interface IntervalStrip {
  name: string;
  /** A share from 0 to 1; null is drawn as not measured. */
  value: number | null;
  /** Without one the dot is hollow: it carries no claim. */
  ci95: readonly [low: number, high: number] | null;
}

const at = (share: number): string => `${(share * 100).toFixed(2)}%`;

/** A share on a row of its own: the 95% interval as a bar with ends, the estimate a dot on it. Zero to one. */
export function intervalStrip({ name, value, ci95 }: IntervalStrip): Html {
  const label = `${name} ${formatFixed(value, 2)} ${ci95 === null ? "without an interval" : formatInterval(ci95)}`;
  if (value === null) {
    return html`<svg class="strip" role="img" aria-label="${label}"><line class="missing" x1="0" x2="100%" y1="12" y2="12"/></svg>`;
  }
  const bar =
    ci95 === null
      ? null
      : html`<rect class="iv" x="${at(ci95[0])}" width="${at(ci95[1] - ci95[0])}" y="7" height="10"/>${ci95.map(
          (end) => html`<line class="cap" x1="${at(end)}" x2="${at(end)}" y1="5" y2="19"/>`,
        )}`;
  return html`<svg class="strip c-accent" role="img" aria-label="${label}">${GRID}<g${ci95 === null ? html` class="open"` : null}>${bar}<circle class="pt" cx="${at(value)}" cy="12" r="4.5"/></g></svg>`;
}

const TICKS = [0, 0.25, 0.5, 0.75, 1];

const GRID: Html = html`${TICKS.map((tick) => html`<line class="grid" x1="${at(tick)}" x2="${at(tick)}" y1="0" y2="24"/>`)}`;

/** The scale over a column of strips. */
export const STRIP_SCALE: Html = html`<svg class="strip" aria-hidden="true">${TICKS.map(
  (tick) => html`<text class="${tick === 0 ? "" : tick === 1 ? "end" : "mid"}" x="${at(tick)}" y="13">${tick}</text>`,
)}</svg>`;

/** A count as a bar from zero. */
export function countStrip(count: number, most: number): Html {
  return html`<svg class="strip" aria-hidden="true"><rect class="count" x="0" y="7" height="10" width="${at(most === 0 ? 0 : count / most)}"/></svg>`;
}

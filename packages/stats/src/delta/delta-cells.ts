import { formatFixed, formatSigned } from "@while/schema";
import type { Interval } from "../interval/interval.ts";
import type { ForestMark } from "../page/forest-plot.ts";
import { type Html, type HtmlContent, html, typographic } from "../page/html.ts";
import type { MetricDelta } from "./metric-deltas.ts";
import type { DeltaReport } from "./report.ts";

// How the page of a delta report writes a number and marks a claim.

export const NOT_MEASURED: Html = html`<span class="none">not measured</span>`;

/** Three digits of a share; of tokens or seconds in the hundreds, one. */
const digitsOf = (value: number): number => (Math.abs(value) < 100 ? 3 : 1);

export const points = (value: number | null, digits: number = digitsOf(value ?? 0)): string =>
  typographic(formatSigned(value, digits));

export const share = (value: number | null): HtmlContent =>
  value === null ? NOT_MEASURED : typographic(formatFixed(value, digitsOf(value)));

/** Beside a drawing that says "not measured" already. */
export const level = (value: number | null): HtmlContent => (value === null ? "–" : share(value));

export const bounds = ([low, high]: Interval): string => {
  const digits = digitsOf(Math.max(Math.abs(low), Math.abs(high)));
  return `${points(low, digits)} to ${points(high, digits)}`;
};

/** As precise as its interval. */
const changeText = ({ delta, ci95 }: Pick<MetricDelta, "delta" | "ci95">): string =>
  points(delta, digitsOf(Math.max(...[delta ?? 0, ...(ci95 ?? [])].map(Math.abs))));

export const pText = (p: number | null): HtmlContent =>
  p === null ? html`<span class="none">none</span>` : p < 0.001 ? "<\u2009.001" : formatFixed(p, 3);

export function changeCell(change: Pick<MetricDelta, "delta" | "ci95">): HtmlContent {
  const { delta, ci95 } = change;
  if (delta === null) return NOT_MEASURED;
  return html`<b>${changeText(change)}</b><span class="sub">${ci95 === null ? "no interval" : bounds(ci95)}</span>`;
}

export function changeLabel(change: Pick<MetricDelta, "delta" | "ci95">): string {
  const { delta, ci95 } = change;
  if (delta === null) return "not measured";
  return `${changeText(change)}, ${ci95 === null ? "no interval" : bounds(ci95)}`;
}

/** What is not comparable holds no claim, however far apart the numbers are. */
export function markOf(
  { notComparable }: DeltaReport,
  { gainVerdict, withinNoise = false }: { gainVerdict: MetricDelta["gainVerdict"]; withinNoise?: boolean },
): ForestMark {
  if (notComparable.length > 0 || withinNoise) return "open";
  if (gainVerdict === "b_better") return "good";
  return gainVerdict === "a_better" ? "bad" : "open";
}

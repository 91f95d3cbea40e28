import { formatFixed, formatInterval } from "@while/schema";
import { type ForestRow, type HtmlContent, html, type Interval } from "@while/stats";

/** A share with its interval as a row of a plot. Without an interval the dot is hollow: it carries no claim. */
export function levelRow(
  name: string,
  sub: string,
  estimate: number | null,
  interval: Interval | null,
  { reading = "", strong = false }: { reading?: HtmlContent; strong?: boolean } = {},
): ForestRow {
  const value =
    estimate === null
      ? html`<span class="none">not measured</span>`
      : html`${formatFixed(estimate, 2)}${interval !== null && html` <span class="sub">${formatInterval(interval)}</span>`}`;
  return {
    ...{ name, sub, strong, estimate, interval, value, reading },
    mark: interval === null ? "open" : "plain",
    label: `${formatFixed(estimate, 2)} ${formatInterval(interval)}`,
  };
}

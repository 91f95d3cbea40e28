import { compareCodePoints, formatFixed, formatPercent } from "@while/schema";
import { countOf } from "../count-of.ts";
import { forestPlot } from "../page/forest-plot.ts";
import { type Html, type HtmlContent, html } from "../page/html.ts";
import { changeCell, changeLabel, level, markOf, pText } from "./delta-cells.ts";
import { headlineMetric, nameOnPage } from "./delta-lead.ts";
import type { GroupDelta } from "./group-deltas.ts";
import type { DeltaReport } from "./report.ts";

/** How to read the groups, and whether they moved differently. */
export function groupsNote(report: DeltaReport): Html {
  const { heterogeneity, alpha } = report;
  const metric = headlineMetric(report);
  const q =
    heterogeneity === null
      ? "Whether the groups moved differently is not known: under two of them have a spread."
      : `Do the groups differ? Q = ${formatFixed(heterogeneity.q, 1)} on ${heterogeneity.df} df, p ${heterogeneity.pValue < 0.001 ? "< 0.001" : `= ${formatFixed(heterogeneity.pValue, 3)}`}, I² = ${formatPercent(heterogeneity.i2)}. ` +
        (heterogeneity.pValue <= alpha ? "Yes: the headline is no group’s." : "Not shown.");
  return html`<p>${nameOnPage(metric)} in each group of tasks, weakest first. Dotted line: all tasks. p by Holm over all groups.</p><p>${q}</p>`;
}

/** The headline metric inside each group, the weakest first. */
export function groupsPlot(report: DeltaReport): HtmlContent {
  const { groups, by, metrics, lowerIsBetter } = report;
  if (groups === null || groups.size === 0) return html`<p class="quiet small">No group of ${by} is on both sides.</p>`;
  const metric = headlineMetric(report);
  const lower = lowerIsBetter.includes(metric);
  const gain = ({ delta }: GroupDelta) => (delta === null ? Number.MAX_VALUE : lower ? -delta : delta);
  const order = [...groups].sort(([a, one], [b, other]) => gain(one) - gain(other) || compareCodePoints(a, b));
  return forestPlot({
    rows: order.map(([name, group]) => ({
      name,
      sub: `${countOf(group.nUsed, "task")}${group.paired || group.delta === null ? "" : ", unpaired"}`,
      estimate: group.delta,
      interval: group.ci95,
      mark: markOf(report, group),
      label: changeLabel(group),
      before: [level(group.meanA), level(group.meanB)],
      value: changeCell(group),
      after: [pText(group.pAdjusted)],
      reading: groupReading(report, group),
    })),
    nameHead: by ?? "group",
    beforeColumns: [
      { head: "before", numeric: true },
      { head: "after", numeric: true },
    ],
    valueHead: "after − before",
    afterColumns: [{ head: "p", numeric: true }],
    caption: `Change of ${nameOnPage(metric)} in each group of ${by}`,
    reference: metrics.get(metric)!.delta,
  });
}

function groupReading({ notComparable, alpha }: DeltaReport, { gainVerdict, pAdjusted }: GroupDelta): HtmlContent {
  if (gainVerdict === "insufficient_data") return "insufficient data";
  if (gainVerdict === "no_difference_detected") return "no change detected";
  if (notComparable.length > 0) return "apart, but not comparable";
  const chance =
    pAdjusted !== null && pAdjusted > alpha ? html`<span class="sub">may be chance among so many</span>` : null;
  return gainVerdict === "b_better"
    ? html`<span class="good">better</span>${chance}`
    : html`<b class="bad">worse</b>${chance}`;
}
